#include <algorithm>

#include "app/cli/sim/input.hpp"
#include "app/cli/terminal/columns.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"
#include "core/sim/published.hpp"

namespace kv {
namespace {

std::string share_text(const std::optional<double>& share) {
    return share ? fixed(100 * *share, 1) + " %" : "-";
}
std::string number(const std::optional<double>& value) {
    return value ? fixed(*value, 2) : "-";
}

std::string workload_text(const SimInput& input, const SimWorkload& workload) {
    double prompt = 0, output = 0;
    for (const SimRequest& request : workload.requests) {
        prompt += request.prompt;
        output += request.output;
    }
    const auto n = static_cast<double>(workload.requests.size());
    std::string text = shown(workload.name) + " (" + workload.source + ")\n" +
                       counted(workload.requests.size(), "request") + ", on average " +
                       fixed(prompt / n, 1) + " tokens in and " + fixed(output / n, 1) + " out";
    if (!workload.format) text += ", seed " + std::to_string(input.race.seed);
    text += "; a pool of " + with_commas(input.race.pool.slots) + " slots, blocks of " +
            with_commas(input.race.pool.block_size) + "\n";
    if (workload.left_out > 0)
        text += counted(workload.left_out, "longer request") +
                (workload.left_out == 1 ? " is" : " are") + " left out\n";
    if (workload.passed_over > 0)
        text += counted(workload.passed_over, "row") + " without a prompt or an answer " +
                (workload.passed_over == 1 ? "is" : "are") + " passed over\n";
    return text;
}

TextRow published_row(AllocatorKind kind) {
    const auto bar = published_bar(kind);
    return {"  paper",
            number(bar->mean_batch),
            share_text(bar->tokens_share),
            share_text(bar->reserved_share),
            share_text(bar->internal_share),
            share_text(bar->external_share)};
}

std::string shares_text(const SimInput& input, const std::vector<RaceResult>& results) {
    std::vector<TextRow> rows{
        {"allocator", "batch", "tokens", "reserved", "internal", "external", "free", "used"}};
    for (const RaceResult& r : results) {
        rows.push_back({std::string(name_of(r.allocator)), number(r.mean_batch),
                        share_text(r.tokens_share), share_text(r.reserved_share),
                        share_text(r.internal_share), share_text(r.external_share),
                        share_text(r.free_share), share_text(r.utilisation)});
        if (is_published_setting(input) && published_bar(r.allocator))
            rows.push_back(published_row(r.allocator));
    }
    return aligned_columns(rows);
}

std::string counts_text(const SimInput& input, const std::vector<RaceResult>& results) {
    std::vector<TextRow> rows{{"allocator", "iterations", "most at once", "admitted", "refused",
                               "preempted", "recomputed", "copied"}};
    for (const RaceResult& r : results) {
        const u64 bytes = product_or_throw("bytes_copied", {r.slots_copied, input.bytes_per_token});
        rows.push_back({std::string(name_of(r.allocator)), with_commas(r.iterations),
                        with_commas(r.peak_batch), with_commas(r.counters.admitted),
                        with_commas(r.counters.refused), with_commas(r.counters.preemptions),
                        with_commas(r.counters.recomputed_tokens), bytes_binary(bytes)});
    }
    return aligned_columns(rows);
}

// What went wrong, an allocator a line; empty when nothing did.
std::string trouble_text(const std::vector<RaceResult>& results) {
    std::string text;
    for (const RaceResult& r : results) {
        const std::string name(name_of(r.allocator));
        if (r.counters.leaked_slots > 0)
            text += name + ": " + with_commas(r.counters.leaked_requests) + " requests leaked " +
                    with_commas(r.counters.leaked_slots) + " slots\n";
        if (r.counters.abandoned > 0)
            text += name + ": " + with_commas(r.counters.abandoned) +
                    " requests could not be finished even alone and were given up\n";
        if (r.left_waiting > 0)
            text += name + ": stands still with " + counted(r.left_waiting, "request") +
                    " waiting, because the first of them can never be admitted\n";
    }
    return text.empty() ? text : "\n" + text;
}

std::string prefix_text(const SimWorkload& workload) {
    if (workload.prefix.empty()) return {};
    std::vector<TextRow> rows{{"prefix cache of", "hit tokens", "hit rate"}};
    for (const PrefixRun& run : workload.prefix) {
        const std::string size = run.capacity ? with_commas(*run.capacity) : "any number of";
        rows.push_back({size + " blocks", with_commas(run.index.hit_tokens()),
                        share_text(run.index.hit_rate())});
    }
    return "\n" + aligned_columns(rows) + "Blocks of " + with_commas(*workload.tokens_per_hash) +
           " tokens, the least recently used one is reclaimed.\n";
}

std::string notes(const std::vector<RaceResult>& results) {
    const bool waited = std::any_of(results.begin(), results.end(),
                                    [](const RaceResult& r) { return r.saturated_iterations > 0; });
    if (!waited)
        return "\nNobody ever waited, so there is nothing to average over; ask for more requests "
               "or a smaller pool.\n";
    return "\nShares of the pool and batch: means over the iterations in which requests waited. "
           "\"used\" is tokens / held slots.\n"
           "reserved: will be filled; internal: held, not filled; external: not held, but only "
           "one region will do.\n";
}

}  // namespace

std::string sim_table(const SimInput& input, const SimWorkload& workload,
                      const std::vector<RaceResult>& results, bool quiet) {
    std::string out = quiet ? "" : workload_text(input, workload) + "\n";
    out += shares_text(input, results) + "\n" + counts_text(input, results);
    out += trouble_text(results) + prefix_text(workload);
    return quiet ? out : out + notes(results);
}

}  // namespace kv
