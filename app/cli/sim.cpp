#include "app/cli/sim.hpp"

#include "app/cli/interrupt.hpp"
#include "app/cli/output.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/sim_input.hpp"
#include "app/cli/sim_series.hpp"

namespace kv {
namespace {

constexpr int kInterruptedExit = 130;  // what a shell gives a program that Ctrl+C ended

std::string percent(double done) {
    return std::to_string(static_cast<int>(100 * done)) + " %";
}

// Nothing when Ctrl+C ended it.
std::optional<std::vector<RaceResult>> race_all(const SimInput& input, const Workload& workload,
                                                SimSeries& series, ProgressLine& progress) {
    std::vector<RaceResult> results;
    for (const AllocatorKind kind : input.allocators) {
        RaceObserver observe;
        if (input.series) observe = [&](const RaceSpan& span) { series.add(kind, span); };
        const auto result = race(kind, workload, input.race, observe, [&](double done) {
            progress.show(std::string(name_of(kind)) + ": " + percent(done));
            return !was_interrupted();
        });
        if (!result) return std::nullopt;
        results.push_back(*result);
    }
    return results;
}

int run(const GivenOptions& given, const CommonOptions& common) {
    const SimInput input = read_sim(given, common);
    watch_for_interrupts();
    std::optional<SimWorkload> workload;
    std::optional<std::vector<RaceResult>> results;
    SimSeries series(input.series_every);
    {
        ProgressLine progress(common.quiet);
        workload = load_workload(input, [&](double done) {
            progress.show("reading the trace: " + percent(done));
            return !was_interrupted();
        });
        if (workload) results = race_all(input, workload->requests, series, progress);
    }
    if (!results) return kInterruptedExit;
    if (input.series) write_output(input.series, series.text());
    write_output(common.out, common.json ? sim_json(input, *workload, *results)
                                         : sim_table(input, *workload, *results, common.quiet));
    return 0;
}

}  // namespace

Subcommand sim_command() {
    return {"sim",
            "race allocators over a workload: who wastes how much of a pool",
            {"sim --workload sharegpt-like --json",
             "sim --allocators max,paged --workload azure-conv-like --longest 2048 --seed 3",
             "sim --workload FILE.csv --pool 65536 --series FILE.csv",
             "sim --faults leak=0.02,no_admission_control"},
            "",
            sim_options(),
            run};
}

}  // namespace kv
