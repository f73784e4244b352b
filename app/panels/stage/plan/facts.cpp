#include "app/panels/stage/plan/facts.hpp"

#include <algorithm>

#include "core/trace/event/event.hpp"

namespace kv {
namespace {

// Beyond this the last owner is not drawn: such blocks are too small for a tag.
constexpr std::size_t kMostWithLastOwner = 4096;

}  // namespace

void StageFacts::follow(const RunView& run) {
    const bool same_trace = run_ == run.id && size_ <= run.trace.size();
    if (same_trace && size_ == run.trace.size() && moment_ == run.moment &&
        lane_ == run.lane_in_focus && blocks_.size() == run.lane().blocks().size())
        return;
    // Last owners are read on from where the last moment ended; an earlier moment or another lane
    // begins anew.
    if (!same_trace || run.moment < read_to_ || lane_ != run.lane_in_focus) read_to_ = 0;
    run_ = run.id, size_ = run.trace.size(), moment_ = run.moment, lane_ = run.lane_in_focus;
    tags_.clear();
    for (std::uint32_t i = 0; i < run.now.requests.size(); ++i)
        tags_.push_back(tag_of(run.now, SeqId(i)).index);
    ++generation_;
    // Slots that were written at the last moment look different now, and so do those written at
    // this one (below).
    changed_.clear();
    for (const SlotsWritten& w : written_) changed_.push_back(w.block);
    gather_blocks(run.lane());
    gather_host(run.now);
    gather_last_owners(run);
    gather_step(run);
    for (const SlotsWritten& w : written_) changed_.push_back(w.block);
    counts_ = count_pool(run.now);
}

void StageFacts::gather_blocks(const LaneAt& lane) {
    holders_.follow(lane, changed_);
    SharedArray<BlockView>::each_difference(blocks_, lane.blocks(), [&](std::size_t i) {
        changed_.push_back(BlockId(static_cast<std::uint32_t>(i)));
    });
    blocks_ = lane.blocks();
}

void StageFacts::gather_host(const Snapshot& now) {
    if (host_ == now.host) return;
    host_ = now.host;
    in_host_.clear();
    for (std::uint32_t i = 0; i < now.host.size(); ++i)
        if (const PlaceView& place = now.host[i]; place.request)
            in_host_[{place.request->value, place.entry}] = i;
}

// The events say it, the snapshot does not: read on from where the last moment ended.
void StageFacts::gather_last_owners(const RunView& run) {
    const std::size_t n = run.lane().blocks().size();
    if (n > kMostWithLastOwner) return last_owners_.clear();
    if (read_to_ == 0 || last_owners_.size() != n) {
        last_owners_.assign(n, std::nullopt);
        read_to_ = 0;
    }
    run.trace.each(read_to_, run.moment, [&](std::uint64_t, const Event& event) {
        if (std::holds_alternative<PoolMade>(event.what))
            std::fill(last_owners_.begin(), last_owners_.end(), std::nullopt);
        const auto* freed = std::get_if<BlockFreed>(&event.what);
        if (freed != nullptr && freed->lane == lane_ && freed->block.index() < n)
            last_owners_[freed->block.index()] = event.request;
    });
    read_to_ = run.moment;
}

void StageFacts::gather_step(const RunView& run) {
    const Snapshot& now = run.now;
    written_.clear();
    const std::uint32_t layers = layers_written(run), all = std::max(1u, run.layout.n_layers);
    written_share_ = static_cast<float>(layers) / static_cast<float>(all);
    is_writing_ = now.operation && now.operation->op == Op::Append;
    copied_to_.reset();
    reads_ = now.operation && now.operation->op == Op::Attend;
    chosen_ = reads_ ? entries_read(run) : EntriesRead{};
    if (run.moment > 0 && run.moment <= run.trace.size()) {
        const Event last = run.trace.event(run.moment - 1);
        if (const auto* copied = std::get_if<BlockCopied>(&last.what)) copied_to_ = copied->to;
    }
    if (layers == 0) return;
    for (const SeqId id : now.running) {
        const RequestView& r = now.requests[id.index()];
        for (std::uint32_t at = r.stored; at < computed_until(r); ++at) {
            const auto place = place_of_token(run.lane(), {id, at});
            if (!place) continue;
            if (place->slot.value > 0 && !written_.empty() && written_.back().block == place->block)
                ++written_.back().last;
            else
                written_.push_back({place->block, place->slot.value, place->slot.value + 1});
        }
    }
}

std::optional<SeqId> StageFacts::last_owner(BlockId block) const {
    return block.index() < last_owners_.size() ? last_owners_[block.index()] : std::nullopt;
}

std::optional<std::uint32_t> StageFacts::host_place(SeqId request, std::uint32_t entry) const {
    const auto found = in_host_.find({request.value, entry});
    return found == in_host_.end() ? std::nullopt : std::optional(found->second);
}

bool StageFacts::is_read(const Snapshot& now, BlockId block) const {
    if (!reads_) return false;
    const std::span<const Holder> all = holders(block);
    return std::any_of(all.begin(), all.end(), [&](const Holder& h) {
        if (now.requests[h.request.index()].scheduled == 0) return false;
        const auto chosen = chosen_.find(h.request.value);
        return chosen == chosen_.end() ||
               std::binary_search(chosen->second.begin(), chosen->second.end(), h.entry);
    });
}

}  // namespace kv
