#include "app/cli/calc/calc.hpp"

#include "app/cli/calc/input.hpp"
#include "app/cli/calc/print.hpp"
#include "app/cli/terminal/output.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

int list_presets(const GivenOptions& given, const CommonOptions& common) {
    for (const OptionSpec& option : calc_options()) {
        if (option.name != "--list" && given.has(option.name)) {
            throw Error{ErrorCode::Usage, "--list prints the presets alone; leave " +
                                              std::string(option.name) + " out."};
        }
    }
    write_output(common.out, common.json ? presets_json() : presets_table());
    return 0;
}

int run_calc(const GivenOptions& given, const CommonOptions& common) {
    if (given.has("--list")) return list_presets(given, common);
    const CalcInput input = read_calc(given);
    const std::vector<Derived> bill = make_bill(input.request);
    write_output(common.out,
                 common.json ? calc_json(input, bill) : calc_table(input, bill, common.quiet));
    return 0;
}

}  // namespace

Subcommand calc_command() {
    return {"calc",
            "price a model: bytes, blocks, capacity and the time of a step",
            {"calc --preset llama-2-7b --tokens 4096", "calc --config DIR/config.json --pool 24GiB",
             "calc --layers 32 --kv-heads 8 --head-dim 128 --codec int8 --tokens 8192 --json"},
            "",
            calc_options(),
            run_calc};
}

}  // namespace kv
