#include "app/cli/sim/sim.hpp"

#include <numeric>

#include "app/cli/sim/input.hpp"
#include "app/cli/sim/series.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/cli/terminal/progress_line.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/sim/race_trace.hpp"
#include "core/trace/files/json.hpp"

namespace kv {
namespace {

std::string percent(double done) {
    return std::to_string(static_cast<int>(100 * done)) + " %";
}

// What happens in a race of the paged allocator, for --events.
class SimEvents {
public:
    SimEvents(const Workload& workload, const PoolRules& pool)
        : watcher_(checked(workload), pool, trace_) {}

    RaceWatcher& watcher() { return watcher_; }
    std::string text() {
        watcher_.finish();
        std::string text;
        export_trace(trace_, {.with_times = false}, [&](std::string_view lines) { text += lines; });
        return text;
    }

private:
    // Three lines for every token of an answer.
    static const Workload& checked(const Workload& workload) {
        constexpr u64 kMost = 1'000'000;
        const u64 n = std::accumulate(
            workload.begin(), workload.end(), u64{0},
            [](u64 sum, const SimRequest& request) { return sum + request.output; });
        if (n > kMost)
            throw Error{ErrorCode::Usage,
                        "--events would tell of " + with_commas(n) +
                            " tokens of answers, and at most 1,000,000 can be; ask for fewer "
                            "--requests."};
        return workload;
    }

    Trace trace_;
    RaceTrace watcher_;
};

// Races all allocators; nothing when Ctrl+C ended it.
std::optional<std::vector<RaceResult>> race_all(const SimInput& input, const Workload& workload,
                                                SimSeries& series, std::optional<SimEvents>& events,
                                                ProgressLine& progress) {
    std::vector<RaceResult> results;
    for (const AllocatorKind kind : input.allocators) {
        RaceObserver observe;
        if (input.series) observe = [&](const RaceSpan& span) { series.add(kind, span); };
        RaceWatcher* watcher = nullptr;
        if (kind == AllocatorKind::Paged && input.events)
            watcher = &events.emplace(workload, input.race.pool).watcher();
        const auto show = [&](double done) {
            progress.show(std::string(name_of(kind)) + ": " + percent(done));
            return !was_interrupted();
        };
        const auto result = race(kind, workload, input.race, observe, show, watcher);
        if (!result) return std::nullopt;
        results.push_back(*result);
    }
    return results;
}

int run_sim(const GivenOptions& given, const CommonOptions& common) {
    const SimInput input = read_sim(given, common);
    watch_for_interrupts();
    std::optional<SimWorkload> workload;
    std::optional<std::vector<RaceResult>> results;
    SimSeries series(input.series_every);
    std::optional<SimEvents> events;
    {
        ProgressLine progress(common.quiet);
        workload = load_workload(input, [&](double done) {
            progress.show("reading the trace: " + percent(done));
            return !was_interrupted();
        });
        if (workload) results = race_all(input, workload->requests, series, events, progress);
    }
    if (!results) return kInterruptedExit;
    if (input.series) write_output(input.series, series.text());
    if (events) write_output(input.events, events->text());
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
             "sim --allocators paged --requests 200 --events FILE.jsonl",
             "sim --faults leak=0.02,no_admission_control"},
            "",
            sim_options(),
            run_sim};
}

}  // namespace kv
