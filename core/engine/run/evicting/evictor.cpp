#include "core/engine/run/evicting/evictor.hpp"

#include <algorithm>
#include <cstddef>

#include "core/engine/reference/hadamard.hpp"
#include "core/engine/run/evicting/shift.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

void Evictor::before_append(SeqId id) {
    if (!keepers_.has_policy() || pool_.cache().stored(id) == 0) return;
    for (const TokensDropped& what : keepers_.of(id).before_append()) drop(id, what);
}

void Evictor::after_step(const Planned& step) {
    if (!keepers_.has_policy()) return;
    const SeqId id = step.request;
    Request& r = requests_[id.index()];
    const std::uint32_t end = step.first + step.count;
    // If the request loses its blocks it is taken through the same steps again.
    if (r.steps.empty() || end > r.steps.back()) r.steps.push_back(end);
    if (keepers_.goes_by_scores()) r.repeats_steps = true;
    const auto read = [&](Side side, LayerId layer, HeadId head, std::uint32_t position) {
        return read_stored(id, side, layer, head, position);
    };
    const std::vector<TokensDropped> all = keepers_.of(id).after_step(read);
    for (const TokensDropped& what : all) drop(id, what);
    if (settings_.compact && keepers_.goes_by_scores()) compact(id, all);
}

void Evictor::drop(SeqId id, const TokensDropped& what) {
    const std::uint32_t n_tokens = keepers_.of(id).n_tokens();
    pool_.cache().drop(id, what, drop_reason(keepers_.policy(), what, n_tokens));
    requests_[id.index()].repeats_steps = true;
    if (keepers_.shifts_keys()) shift(id, what.positions);
}

void Evictor::compact(SeqId id, const std::vector<TokensDropped>& dropped_now) {
    const bool at_once = eviction_time(keepers_.policy()) == EvictionTime::PrefillEnd;
    for (std::uint32_t l = 0; l < pool_.lanes().n_lanes(); ++l) {
        const LaneId lane(l);
        const bool dropped = std::any_of(dropped_now.begin(), dropped_now.end(),
                                         [&](const TokensDropped& d) { return d.lane == lane; });
        // Survivors stay where they are until there is room to move them.
        if (pool_.cache().dead_slots(id, lane) >= settings_.block_size || (at_once && dropped))
            pool_.cache().compact(id, lane);
    }
}

void Evictor::shift(SeqId id, const std::vector<std::uint32_t>& dropped) {
    const std::vector<ShiftedBlock> blocks = shift_keys(
        pool_, config_, pool_spec_of(settings_, 1).k, id, keepers_.of(id).kept(LaneId(0)), dropped);
    if (!blocks.empty()) requests_[id.index()].recoded = true;
    for (const ShiftedBlock& block : blocks)
        log_.tell(id, Reason::keys_shifted(block.by, block.n_keys), block.what);
}

// A key or value as the pool holds it, decoded.
std::vector<float> Evictor::read_stored(SeqId id, Side side, LayerId layer, HeadId head,
                                        std::uint32_t position) const {
    const LaneId lane = pool_.lanes().lane_of(layer, head);
    const std::uint32_t slot = pool_.cache().slots(id, lane).slot_of(position);
    const KvLayout& layout = pool_.backend().layout();
    const BlockId block = *pool_.cache().table(id, lane)[slot / layout.block_size];
    std::vector<std::byte> bytes(layout.vector(side).bytes);
    pool_.backend().read_pool(
        layout.vector_offset(layer, side, head, block, Slot(slot % layout.block_size)), bytes);
    std::vector<float> values(layout.vector(side).dim);
    const PoolSpec spec = pool_spec_of(settings_, layout.n_blocks);
    decode_vector(spec.codec(side), bytes.data(), layout.vector(side).dim, values.data(),
                  pool_.backend().shared_scale(layer, side));
    if (spec.rotation == Rotation::Hadamard) hadamard_heads(values.data(), 1, values.size());
    return values;
}

}  // namespace kv
