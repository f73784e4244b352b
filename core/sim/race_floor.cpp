#include "core/sim/race_floor.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace kv {

RaceFloor::RaceFloor(AllocatorKind kind, const Workload& workload, const RaceSettings& settings)
    : paged_(kind == AllocatorKind::Paged), block_size_(settings.pool.block_size) {
    for (u64 block = 0; block < settings.pool.slots / block_size_; ++block) free_.push_back(block);
    for (std::uint32_t i = 0; i < workload.size(); ++i) waiting_.push_back(i);
}

void RaceFloor::refused(std::uint32_t request, const Demand&) {
    std::erase(waiting_, request);
}

RaceFloor::Holder& RaceFloor::holder(std::uint32_t request) {
    const auto found = std::find_if(running_.begin(), running_.end(),
                                    [&](const Holder& h) { return h.request == request; });
    KV_ASSERT(found != running_.end());
    return *found;
}

void RaceFloor::admitted(u64, std::uint32_t request, const Demand& demand, const Holding& holding) {
    std::erase(waiting_, request);
    wanted_.reset();
    running_.push_back({request, demand.stored(), demand.output - demand.made, {}});
    take(running_.back(), holding);
}

void RaceFloor::turned_away(u64, std::uint32_t, const Wanted& wanted) {
    wanted_ = wanted;
}

void RaceFloor::made(u64, u64 count) {
    for (Holder& one : running_) one.stored += count, one.left -= count;
}

void RaceFloor::grown(u64, std::uint32_t request, const Holding& holding) {
    take(holder(request), holding);
}

void RaceFloor::take(Holder& of, const Holding& holding) {
    if (!paged_) {
        of.pieces = {{of.request, holding.address, holding.slots, 0, 0}};
        return;
    }
    while (of.pieces.size() * block_size_ < holding.slots) {
        KV_ASSERT(!free_.empty());
        of.pieces.push_back({of.request, free_.front() * block_size_, block_size_, 0, 0});
        free_.pop_front();
    }
}

void RaceFloor::preempted(u64, std::uint32_t request) {
    let_go(request, false);
    waiting_.insert(waiting_.begin(), request);
}

void RaceFloor::finished(u64, std::uint32_t request, bool leaks) {
    let_go(request, leaks);
}

// The last block first, as the cache does it.
void RaceFloor::let_go(std::uint32_t request, bool keeps) {
    const Holder& of = holder(request);
    if (keeps)
        leaked_.insert(leaked_.end(), of.pieces.begin(), of.pieces.end());
    else if (paged_)
        for (std::size_t i = of.pieces.size(); i-- > 0;)
            free_.push_back(of.pieces[i].address / block_size_);
    std::erase_if(running_, [&](const Holder& h) { return h.request == request; });
}

std::vector<FloorPiece> RaceFloor::pieces_now() const {
    std::vector<FloorPiece> all = leaked_;
    for (const Holder& one : running_) {
        u64 stored = one.stored, left = one.left;
        for (FloorPiece piece : one.pieces) {
            piece.tokens = std::min(stored, piece.slots), stored -= piece.tokens;
            piece.reserved = std::min(left, piece.slots - piece.tokens), left -= piece.reserved;
            all.push_back(piece);
        }
    }
    std::sort(all.begin(), all.end(),
              [](const FloorPiece& a, const FloorPiece& b) { return a.address < b.address; });
    return all;
}

// The iterations of a span differ in nothing but the tokens.
void RaceFloor::see(const RaceSpan& span) {
    // A request that found no room even alone was given up, and the race tells nobody.
    while (waiting_.size() > span.waiting) waiting_.erase(waiting_.begin());
    if (waiting_.empty()) wanted_.reset();
    const std::vector<Holder> at_first = running_;
    for (u64 i = 0; i < span.count; ++i) {
        moments_.push_back({pieces_now(), span.running, waiting_, wanted_});
        made(span.first + i, 1);
    }
    running_ = at_first;
}

WatchedRace watch_race(AllocatorKind kind, const Workload& workload, const RaceSettings& settings) {
    RaceFloor floor(kind, workload, settings);
    const auto see = [&](const RaceSpan& span) { floor.see(span); };
    const auto result = race(kind, workload, settings, see, {}, &floor);
    return {*result, floor.moments()};
}

}  // namespace kv
