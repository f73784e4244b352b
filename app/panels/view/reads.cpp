#include "app/panels/view/reads.hpp"

#include <algorithm>

#include "app/panels/view/facts.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

void add_entries_of(const BlocksRead& read, LayerId layer, std::uint32_t n_kv_heads,
                    std::vector<std::uint32_t>& entries) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < read.counts.size(); ++i) {
        const std::size_t end = begin + read.counts[i];
        if (i / n_kv_heads == layer.index())
            entries.insert(entries.end(), read.entries.begin() + static_cast<std::ptrdiff_t>(begin),
                           read.entries.begin() + static_cast<std::ptrdiff_t>(end));
        begin = end;
    }
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
}

// The layer at hand where a policy chooses among blocks; none where it does not, where no layer is
// at hand, or where this one reads everything.
std::optional<LayerId> layer_that_chooses(const RunView& run) {
    const EvictionSpec policy = policy_of(run);
    const auto& operation = run.now.operation;
    if (!chooses_reads(policy) || !operation || !operation->layer ||
        operation->layer->value < policy.skip)
        return std::nullopt;
    return operation->layer;
}

}  // namespace

std::optional<BlocksChosen> blocks_chosen(const RunView& run, SeqId request,
                                          std::uint32_t position) {
    const std::uint32_t size = run.now.block_size;
    if (!layer_that_chooses(run) || size == 0) return std::nullopt;
    const std::uint32_t n = blocks_read(policy_of(run), size), of = position / size + 1;
    const bool whole = position < run.now.requests[request.index()].n_prompt || of <= n;
    return whole ? std::nullopt : std::optional(BlocksChosen{n, of});
}

EntriesRead entries_read(const RunView& run) {
    EntriesRead all;
    const auto layer = layer_that_chooses(run);
    if (!layer || run.layout.n_kv_heads == 0) return all;
    // The step says so before its operations.
    for (std::uint64_t at = std::min(run.moment, run.trace.size()); at > 0; --at) {
        const Event event = run.trace.event(at - 1);
        if (std::holds_alternative<IterationStarted>(event.what)) break;
        const auto* read = std::get_if<BlocksRead>(&event.what);
        if (read != nullptr && event.request)
            add_entries_of(*read, *layer, run.layout.n_kv_heads, all[event.request->value]);
    }
    return all;
}

}  // namespace kv
