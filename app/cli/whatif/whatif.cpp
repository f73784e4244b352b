#include "app/cli/whatif/whatif.hpp"

#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "app/cli/whatif/input.hpp"
#include "core/whatif/record/read.hpp"
#include "core/whatif/record/service.hpp"

namespace kv {
namespace {

int write_service(const WhatIfInput& input) {
    std::string text;
    record_service({.seed = input.seed,
                    .pool_blocks = static_cast<std::uint32_t>(input.pools[0]),
                    .with_tokens = input.show_tokens},
                   [&](const std::string& line) { text += line + "\n"; });
    write_output(input.service, text);
    return 0;
}

int run_whatif(const GivenOptions& given, const CommonOptions& common) {
    const WhatIfInput input = read_whatif(given, common);
    if (input.service) return write_service(input);
    watch_for_interrupts();
    std::optional<WhatIfStudy> study;
    std::optional<WhatIfResults> results;
    {
        ProgressLine progress(common.quiet);
        const auto tell = [&](const std::string& what, double done) {
            progress.show(what + ": " + std::to_string(static_cast<int>(100 * done)) + " %");
            return !was_interrupted();
        };
        auto recording = read_recording(input.file, input.requests, [&](double done) {
            return tell("reading the recording", done);
        });
        if (recording) study.emplace(std::move(*recording), input.model);
        if (study) results = weigh(input, *study, tell);
    }
    if (!results) return kInterruptedExit;
    write_output(common.out, common.json ? whatif_json(input, *study, *results)
                                         : whatif_table(input, *study, *results, common.quiet));
    return 0;
}

}  // namespace

Subcommand whatif_command() {
    return {"whatif",
            "what a recorded server would have found in other pools",
            {"whatif recorded.jsonl", "whatif recorded.jsonl --pool 26000,52000 --json",
             "whatif recorded.jsonl --order lru,fifo,lfu --block-size 16,32",
             "whatif recorded.jsonl --k-codec int8", "whatif mooncake.jsonl --host-blocks 32768",
             "whatif --record-service hour.jsonl"},
            "FILE",
            whatif_options(),
            run_whatif};
}

}  // namespace kv
