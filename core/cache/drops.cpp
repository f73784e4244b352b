#include "core/cache/drops.hpp"

#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

bool Drops::is_dead(const CachedSequence& s, LaneId lane, std::uint32_t entry) const {
    const SlotMap& slots = s.slots[lane.index()];
    const std::uint32_t begin = entry * spec_.block_size, end = begin + spec_.block_size;
    if (end > slots.slots_taken(s.stored)) return false;
    for (std::uint32_t slot = begin; slot < end; ++slot)
        if (!slots.is_dropped(slot)) return false;
    return true;
}

void Drops::drop(SeqId id, TokensDropped what, const Reason& reason) {
    if (what.positions.empty()) return;
    CachedSequence& s = tables_.of(id);
    const LaneId lane = what.lane;
    SlotMap& slots = s.slots[lane.index()];
    std::vector<std::uint32_t> entries;  // in which something is dropped, rising
    for (const std::uint32_t position : what.positions) {
        KV_ASSERT(position < s.stored);
        const std::uint32_t slot = slots.slot_of(position), entry = slot / spec_.block_size;
        slots.drop(slot);
        what.slots.push_back(slot);
        if (entries.empty() || entries.back() != entry) entries.push_back(entry);
    }
    what.kept = slots.slots_taken(s.stored) - slots.n_dropped();
    // What the request has published stays good. What it computes from here on depends on the drop,
    // so nobody else may find that.
    chains_.stop(s);
    log_.tell(id, reason, std::move(what));
    // The last one first, as in Tables::give_back_all: of these blocks it is handed out first.
    for (std::size_t i = entries.size(); i-- > 0;)
        if (is_dead(s, lane, entries[i]))
            tables_.leave_hole(s, lane, entries[i], {Why::AllDropped, id}, FreeEnd::Tail);
}

std::uint32_t Drops::dead_slots(SeqId id, LaneId lane) const {
    const CachedSequence& s = tables_.of(id);
    const SlotMap& slots = s.slots[lane.index()];
    std::uint32_t n = 0;
    for (std::uint32_t slot = 0; slot < slots.slots_taken(s.stored); ++slot)
        n += slots.is_dropped(slot) && s.block_of(lane, slot, spec_.block_size) ? 1 : 0;
    return n;
}

bool Drops::compact(SeqId id, LaneId lane) {
    const std::uint32_t size = spec_.block_size, dead = dead_slots(id, lane);
    CachedSequence& s = tables_.of(id);
    BlockPool& pool = device_.pool(lane);
    SlotsMoved moved;
    moved.lane = lane;
    moved.slots = s.slots[lane.index()].kept_slots(s.stored);
    const auto n_blocks = static_cast<std::uint32_t>(ceil_div(moved.slots.size(), size));
    if (pool.n_free() < n_blocks) return false;
    moved.bytes = spec_.block_bytes / size * moved.slots.size();
    moved.to_head = spec_.free_order == FreeOrder::UnhashedFirst;

    const std::vector<std::optional<BlockId>> old = s.tables[lane.index()];
    std::vector<std::optional<BlockId>> table;
    for (std::uint32_t entry = 0; entry < n_blocks; ++entry) {
        table.emplace_back(tables_.take(id, lane));
        moved.to.push_back(table.back()->value);
    }
    std::vector<SlotMove> moves;
    for (std::uint32_t to = 0; to < moved.slots.size(); ++to) {
        const std::uint32_t from = moved.slots[to];
        moves.push_back({.from = *old[from / size],
                         .from_slot = Slot(from % size),
                         .to = *table[to / size],
                         .to_slot = Slot(to % size)});
        ++device_.filled(lane, *table[to / size]);
    }
    transfers_.move_slots(lane, moves);

    s.tables[lane.index()] = std::move(table);
    s.slots[lane.index()].move_together(s.stored);
    for (auto entry = old.size(); entry-- > 0;)
        if (old[entry] && pool.let_go(*old[entry], moved.to_head ? FreeEnd::Head : FreeEnd::Tail))
            device_.filled(lane, *old[entry]) = 0;
    const std::uint64_t kept = moved.slots.size();
    log_.tell(id, Reason::holes_fill(dead, kept), std::move(moved));
    return true;
}

void Drops::count_dead(Snapshot& snapshot) const {
    const std::uint32_t size = spec_.block_size;
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane) {
        LaneView& view = snapshot.lanes[lane];
        std::vector<std::uint32_t> dropped(std::size_t{spec_.n_blocks} * size);  // by how many
        for (const auto& [id, s] : tables_.all())
            for (std::uint32_t slot = 0; slot < s.slots[lane].slots_taken(s.stored); ++slot) {
                const std::optional<BlockId> block = s.block_of(LaneId(lane), slot, size);
                if (block && s.slots[lane].is_dropped(slot))
                    ++dropped[block->index() * std::size_t{size} + slot % size];
            }
        for (std::uint32_t b = 0; b < spec_.n_blocks; ++b) {
            const std::uint32_t holders = view.blocks[b].ref_count;
            std::uint32_t dead = 0;
            for (std::uint32_t slot = 0; slot < size; ++slot)
                dead += holders > 0 && dropped[b * std::size_t{size} + slot] == holders ? 1 : 0;
            view.blocks.edit(b).dead = dead;
            view.dead += dead;
            view.live -= dead;
        }
    }
}

}  // namespace kv
