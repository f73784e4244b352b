#include "app/cli/attach/attach.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/calc/calc.hpp"
#include "app/cli/lessons/lessons.hpp"
#include "app/cli/manual/manual.hpp"
#include "app/cli/run/run.hpp"
#include "app/cli/shot/command.hpp"
#include "app/cli/sim/sim.hpp"
#include "app/cli/terminal/command.hpp"
#include "app/cli/whatif/whatif.hpp"
#include "app/cli/window/command.hpp"

namespace kv {

Program program() {
    return {{run_command(), calc_command(), shot_command(), sim_command(), attach_command(),
             whatif_command(), lessons_command(), bench_command(), man_command()},
            window_command()};
}

const std::vector<OptionSpec>& common_options() {
    static const std::vector<OptionSpec> options{
        {"--help", "", "print this and stop"},
        {"--version", "", "print version, commit and build type and stop"},
        {"--json", "", "print one JSON object instead of a table"},
        {"--out", "FILE", "write there instead of standard output; - is standard output", false,
         true},
        {"--seed", "N", "seed of everything random"},
        {"--quiet", "", "leave out notes and derivations"}};
    return options;
}

}  // namespace kv
