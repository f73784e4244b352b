// What a policy gives up of a live request: slots that are dead, blocks that go back, and survivors
// that move together. A slot is written once; so moving means new blocks.

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/cache/cache.hpp"
#include "core/cache/tell.hpp"

namespace kv {

const SlotMap& Cache::slots(SeqId id, LaneId lane) const {
    return of(id).slots[lane.index()];
}

bool Cache::can_swap(SeqId id) const {
    const Sequence& s = of(id);
    return spec_.n_lanes == 1 && s.slots[0].is_plain();
}

// All slots of the entry are written, and none is kept.
bool Cache::is_dead(const Sequence& s, std::uint32_t lane, std::uint32_t entry) const {
    const SlotMap& slots = s.slots[lane];
    const std::uint32_t begin = entry * spec_.block_size, end = begin + spec_.block_size;
    if (end > slots.slots(s.stored)) return false;
    for (std::uint32_t slot = begin; slot < end; ++slot)
        if (!slots.is_dropped(slot)) return false;
    return true;
}

void Cache::drop(SeqId id, TokensDropped what, const Reason& reason) {
    if (what.positions.empty()) return;
    Sequence& s = of(id);
    const LaneId lane = what.lane;
    SlotMap& slots = s.slots[lane.index()];
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t position : what.positions) {
        KV_ASSERT(position < s.stored);
        const std::uint32_t slot = slots.slot_of(position), entry = slot / spec_.block_size;
        slots.drop(slot);
        what.slots.push_back(slot);
        if (entries.empty() || entries.back() != entry) entries.push_back(entry);
    }
    what.kept = slots.slots(s.stored) - slots.n_dropped();
    // Others may find what it has published; what comes after the drop depends on it.
    s.chain.reset();
    tell(id, reason, std::move(what));
    for (std::size_t i = entries.size(); i-- > 0;)
        if (is_dead(s, lane.value, entries[i]))
            drop_entry(id, lane, entries[i], {Why::AllDropped, id}, FreeEnd::Tail);
}

std::uint32_t Cache::holes(SeqId id, LaneId lane) const {
    const Sequence& s = of(id);
    const SlotMap& slots = s.slots[lane.index()];
    std::uint32_t n = 0;
    for (std::uint32_t slot = 0; slot < slots.slots(s.stored); ++slot)
        n += s.tables[lane.index()][slot / spec_.block_size] && slots.is_dropped(slot) ? 1 : 0;
    return n;
}

bool Cache::compact(SeqId id, LaneId lane) {
    const std::uint32_t size = spec_.block_size, dead = holes(id, lane);
    SlotsMoved moved;
    moved.lane = lane;
    moved.slots = of(id).slots[lane.index()].kept_slots(of(id).stored);
    const auto n_blocks = static_cast<std::uint32_t>(ceil_div(moved.slots.size(), size));
    BlockPool& pool = pools_[lane.index()];
    if (pool.n_free() < n_blocks) return false;
    moved.bytes = spec_.block_bytes / size * moved.slots.size();
    moved.to_head = spec_.free_order == FreeOrder::UnhashedFirst;

    const std::vector<std::optional<BlockId>> old = of(id).tables[lane.index()];
    std::vector<std::optional<BlockId>> table;
    for (std::uint32_t entry = 0; entry < n_blocks; ++entry) {
        table.emplace_back(take_block(id, lane));
        moved.to.push_back(table.back()->value);
    }
    std::vector<SlotMove> moves;
    for (std::uint32_t to = 0; to < moved.slots.size(); ++to) {
        const std::uint32_t from = moved.slots[to];
        moves.push_back({*old[from / size], Slot(from % size), *table[to / size], Slot(to % size)});
        ++filled_[lane.index()][table[to / size]->index()];
    }
    if (mover_ != nullptr) mover_->move_slots(lane, moves);

    of(id).tables[lane.index()] = std::move(table);
    of(id).slots[lane.index()].move_together(of(id).stored);
    for (auto entry = old.size(); entry-- > 0;)
        if (old[entry] && pool.let_go(*old[entry], moved.to_head ? FreeEnd::Head : FreeEnd::Tail))
            filled_[lane.index()][old[entry]->index()] = 0;
    const std::uint64_t kept = moved.slots.size();
    tell(id, Reason::holes_fill(dead, kept), std::move(moved));
    return true;
}

// A slot is dead when all who hold its block have dropped it.
void Cache::count_dead(Snapshot& snapshot) const {
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane) {
        LaneView& view = snapshot.lanes[lane];
        std::vector<std::uint32_t> dropped(std::size_t{spec_.n_blocks} * spec_.block_size);
        for (const auto& [id, s] : sequences_)
            for (std::uint32_t slot = 0; slot < s.slots[lane].slots(s.stored); ++slot) {
                const std::uint32_t entry = slot / spec_.block_size;
                if (entry >= s.tables[lane].size() || !s.tables[lane][entry]) continue;
                if (s.slots[lane].is_dropped(slot))
                    ++dropped[s.tables[lane][entry]->index() * std::size_t{spec_.block_size} +
                              slot % spec_.block_size];
            }
        for (std::uint32_t b = 0; b < spec_.n_blocks; ++b) {
            const std::uint32_t holders = view.blocks[b].ref_count;
            std::uint32_t dead = 0;
            for (std::uint32_t i = 0; i < spec_.block_size; ++i)
                dead += holders > 0 && dropped[b * std::size_t{spec_.block_size} + i] == holders
                            ? 1
                            : 0;
            view.blocks.edit(b).dead = dead;
            view.dead += dead;
            view.live -= dead;
        }
    }
}

}  // namespace kv
