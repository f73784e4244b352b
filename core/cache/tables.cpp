#include "core/cache/tables.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

CachedSequence& Tables::open(SeqId id) {
    const auto [opened, is_new] = sequences_.try_emplace(id.value, id);
    KV_ASSERT(is_new);
    CachedSequence& s = opened->second;
    s.tables.resize(spec_.n_lanes);
    s.slots.resize(spec_.n_lanes);
    return s;
}

CachedSequence& Tables::of(SeqId id) {
    const auto found = sequences_.find(id.value);
    KV_ASSERT(found != sequences_.end());
    return found->second;
}

const CachedSequence& Tables::of(SeqId id) const {
    const auto found = sequences_.find(id.value);
    KV_ASSERT(found != sequences_.end());
    return found->second;
}

bool Tables::holds_blocks(SeqId id) const {
    const auto& tables = of(id).tables;
    return std::any_of(tables.begin(), tables.end(), [](const auto& t) { return !t.empty(); });
}

BlockId Tables::take(SeqId id, LaneId lane) {
    findable_.give_up_next(lane, id);
    const BlockId block = *device_.pool(lane).next_free();
    device_.pool(lane).hold(block);
    device_.filled(lane, block) = 0;
    return block;
}

BlockId Tables::allocate(CachedSequence& s, LaneId lane, const Reason& reason) {
    const BlockId block = take(s.id, lane);
    const auto entry = static_cast<std::uint32_t>(s.tables[lane.index()].size());
    s.tables[lane.index()].emplace_back(block);
    log_.tell(s.id, reason, BlockAllocated{lane, block, entry});
    return block;
}

void Tables::enter_shared(CachedSequence& s, LaneId lane, std::uint32_t entry, BlockId block,
                          const Reason& reason) {
    auto& table = s.tables[lane.index()];
    if (table.size() <= entry) table.resize(entry + 1);
    table[entry] = block;
    log_.tell(s.id, reason, BlockShared{lane, block, entry});
}

void Tables::give_back(CachedSequence& s, LaneId lane, std::uint32_t entry, const Reason& reason,
                       FreeEnd end) {
    leave_hole(s, lane, entry, reason, end);
    auto& table = s.tables[lane.index()];
    while (!table.empty() && !table.back()) table.pop_back();
}

void Tables::leave_hole(CachedSequence& s, LaneId lane, std::uint32_t entry, const Reason& reason,
                        FreeEnd end) {
    auto& table = s.tables[lane.index()];
    const BlockId block = *table[entry];
    if (findable_.tree()) findable_.forget_duplicate(lane, block);
    table[entry].reset();
    if (planted(PlantedBug::FreedTwice)) table[entry] = block;
    const bool free = device_.pool(lane).let_go(block, end);
    if (free && !findable_.is_findable(block)) device_.filled(lane, block) = 0;
    log_.tell(s.id, reason, BlockFreed{lane, block, entry, end == FreeEnd::Head});
}

void Tables::give_back_all(CachedSequence& s, const Reason& reason) {
    // The radix rule always wants it: it evicts a leaf only behind all that nobody can find.
    const bool unhashed_first = spec_.free_order == FreeOrder::UnhashedFirst || findable_.tree();
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const LaneId lane(l);
        auto& table = s.tables[l];
        const auto held = [&](std::uint32_t entry) {
            return entry < table.size() && table[entry].has_value();
        };
        const auto n = static_cast<std::uint32_t>(table.size());
        // First the blocks that nobody can find again, in the order of the table. Each becomes the
        // head of the free list, so the last one is handed out first. Then the others, backwards.
        // Each becomes the tail, so of them the last one is handed out first as well.
        for (std::uint32_t entry = 0; unhashed_first && entry < n; ++entry)
            if (held(entry) && !findable_.stays_findable(*table[entry]))
                give_back(s, lane, entry, reason, FreeEnd::Head);
        if (planted(PlantedBug::FreedForwards)) give_back_wrongly(s, lane, reason);
        for (std::uint32_t entry = n; entry-- > 0;)
            if (held(entry)) give_back(s, lane, entry, reason, FreeEnd::Tail);
        table.clear();
        s.slots[l] = {};
    }
}

// Forwards, so that whoever goes backwards behind it finds nothing held.
void Tables::give_back_wrongly(CachedSequence& s, LaneId lane, const Reason& reason) {
    const auto& table = s.tables[lane.index()];
    for (std::uint32_t entry = 0; entry < table.size(); ++entry)
        if (table[entry]) give_back(s, lane, entry, reason, FreeEnd::Tail);
}

void Tables::set_stored(CachedSequence& s, std::uint32_t upto) {
    KV_ASSERT(upto >= s.stored && upto <= s.tokens.size());
    const std::uint32_t before = std::exchange(s.stored, upto);
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const LaneId lane(l);
        const SlotMap& slots = s.slots[l];
        const std::uint32_t first = slots.slots_taken(before) / spec_.block_size;
        const std::uint32_t end = spec_.entries_for(slots.slots_taken(upto));
        for (std::uint32_t entry = first; entry < end; ++entry)
            if (const auto& block = s.tables[l][entry]) {
                std::uint32_t& filled = device_.filled(lane, *block);
                filled = std::max(filled, s.filled_slots(lane, entry, spec_.block_size));
            }
    }
}

}  // namespace kv
