#include "core/engine/pool/backend.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"
#include "core/cache/layout/block_runs.hpp"

namespace kv {

PoolBackend::PoolBackend(const ModelConfig& config, const PoolSpec& pool)
    : spec_(pool), pool_(layout_of(config, pool), pool.k, pool.v), boxes_(pool_) {}

void PoolBackend::read_pool(std::uint64_t offset, std::span<std::byte> out) const {
    KV_ASSERT(offset <= layout().pool_bytes() && out.size() <= layout().pool_bytes() - offset);
    std::memcpy(out.data(), pool_.bytes() + offset, out.size());
}

void PoolBackend::write_pool(std::uint64_t offset, std::span<const std::byte> bytes) {
    KV_ASSERT(offset <= layout().pool_bytes() && bytes.size() <= layout().pool_bytes() - offset);
    std::memcpy(pool_.bytes() + offset, bytes.data(), bytes.size());
    boxes_.forget_bytes(offset, bytes.size());
}

void PoolBackend::copy_block(BlockId from, BlockId to, std::uint32_t slots) {
    KV_ASSERT(from != to && slots <= layout().block_size);
    boxes_.forget(to);
    for (std::uint32_t layer = 0; layer < layout().n_layers; ++layer)
        for (const Side side : {Side::K, Side::V})
            for (std::uint32_t head = 0; head < runs_of_plane(layout()); ++head)
                std::memcpy(pool_.vector(LayerId(layer), side, HeadId(head), to, Slot(0)),
                            pool_.vector(LayerId(layer), side, HeadId(head), from, Slot(0)),
                            run_bytes(layout(), side, slots));
}

template <class Real>
void PoolBackend::wait_in_residual(const SequenceWork& work, LayerId layer, std::uint32_t slot,
                                   const Real* k, const Real* v) {
    for (const Side side : {Side::K, Side::V}) {
        if (!spec_.codec(side).has_residual()) continue;
        const std::uint32_t dim = layout().vector(side).dim;
        const Real* heads = side == Side::K ? k : v;
        for (std::uint32_t head = 0; head < layout().n_kv_heads; ++head)
            encode_vector(
                Codec::Fp16, heads + std::size_t{head} * dim, dim,
                pool_.residual_row(work.residual.row_set, layer, side, HeadId(head), slot));
    }
}

// What falls due with token n: from what was coded without it up to what is coded with it.
void PoolBackend::code_due(const SequenceWork& work, LayerId layer, std::uint32_t n) {
    for (const Side side : {Side::K, Side::V}) {
        if (!spec_.codec(side).has_residual()) continue;
        const std::uint32_t base = work.residual.base;
        const std::uint32_t first = coded_tokens(side, n - 1, base);
        const std::uint32_t end = coded_tokens(side, n, base);
        for (std::uint32_t head = 0; head < layout().n_kv_heads; ++head)
            if (side == Side::K)
                for (std::uint32_t slot = first; slot < end; slot += kKiviGroup)
                    code_keys(work, layer, HeadId(head), slot);
            else
                for (std::uint32_t slot = first; slot < end; ++slot)
                    code_value(work, layer, HeadId(head), slot);
    }
}

std::byte* PoolBackend::bytes_at(const SequenceWork& work, LayerId layer, Side side, HeadId head,
                                 std::uint32_t slot) {
    const SlotPlace at = place(work, layer, head, slot);
    return pool_.vector(layer, side, head, at.block, at.slot);
}

void PoolBackend::code_keys(const SequenceWork& work, LayerId layer, HeadId head,
                            std::uint32_t first) {
    const std::uint32_t dim = layout().k.dim;
    std::vector<float> values(std::size_t{kKiviGroup} * dim);
    GroupSlots slots{};
    for (std::uint32_t t = 0; t < kKiviGroup; ++t) {
        decode_vector(Codec::Fp16,
                      pool_.residual_row(work.residual.row_set, layer, Side::K, head, first + t),
                      dim, values.data() + std::size_t{t} * dim);
        slots[t] = bytes_at(work, layer, Side::K, head, first + t);
    }
    encode_key_group(spec_.k, values.data(), dim, slots);
}

void PoolBackend::code_value(const SequenceWork& work, LayerId layer, HeadId head,
                             std::uint32_t slot) {
    const std::uint32_t dim = layout().v.dim;
    std::vector<float> values(dim);
    decode_vector(Codec::Fp16,
                  pool_.residual_row(work.residual.row_set, layer, Side::V, head, slot), dim,
                  values.data());
    encode_vector(value_codec(spec_.v, dim), values.data(), dim,
                  bytes_at(work, layer, Side::V, head, slot));
}

template <class Real>
void PoolBackend::read_coded_key(const SequenceWork& work, LayerId layer, HeadId head,
                                 std::uint32_t slot, Real* out) const {
    const std::uint32_t first = slot / kKiviGroup * kKiviGroup, dim = layout().k.dim;
    ConstGroupSlots slots{};
    for (std::uint32_t t = 0; t < kKiviGroup; ++t) {
        const SlotPlace at = place(work, layer, head, first + t);
        slots[t] = pool_.vector(layer, Side::K, head, at.block, at.slot);
    }
    std::vector<float> key(dim);
    decode_key(spec_.k, slots, slot - first, dim, key.data());
    std::copy(key.begin(), key.end(), out);
}

template <class Real>
void PoolBackend::read(const SequenceWork& work, LayerId layer, Side side, HeadId head,
                       std::uint32_t slot, std::uint32_t n, Real* out) const {
    const Codec& codec = spec_.codec(side);
    const std::uint32_t dim = layout().vector(side).dim;
    if (!codec.has_residual()) {
        const SlotPlace at = place(work, layer, head, slot);
        return decode_vector(codec, pool_.vector(layer, side, head, at.block, at.slot), dim, out,
                             pool_.shared_scale(layer, side));
    }
    if (slot >= coded_tokens(side, n, work.residual.base))
        return decode_vector(Codec::Fp16,
                             pool_.residual_row(work.residual.row_set, layer, side, head, slot),
                             dim, out);
    if (side == Side::K) return read_coded_key(work, layer, head, slot, out);
    const SlotPlace at = place(work, layer, head, slot);
    decode_vector(value_codec(codec, dim), pool_.vector(layer, side, head, at.block, at.slot), dim,
                  out);
}

template void PoolBackend::wait_in_residual(const SequenceWork&, LayerId, std::uint32_t,
                                            const float*, const float*);
template void PoolBackend::wait_in_residual(const SequenceWork&, LayerId, std::uint32_t,
                                            const double*, const double*);
template void PoolBackend::read(const SequenceWork&, LayerId, Side, HeadId, std::uint32_t,
                                std::uint32_t, float*) const;
template void PoolBackend::read(const SequenceWork&, LayerId, Side, HeadId, std::uint32_t,
                                std::uint32_t, double*) const;

SlotPlace PoolBackend::place(const SequenceWork& work, LayerId layer, HeadId head,
                             std::uint32_t slot) const {
    return place_in(work.tables->of(layer, head), slot, layout());
}

// Only a request that keeps all its tokens can choose blocks, and it has one table for all layers
// and heads.
void PoolBackend::before_append(const NewTokens& some, LayerId layer) {
    if (some.work.tables->scope != TableScope::Sequence) return;
    const auto slots = own_slots(some.work, layer, HeadId(0));
    for (const std::uint32_t slot : slots.subspan(some.begin, some.end - some.begin)) {
        const SlotPlace at = place(some.work, layer, HeadId(0), slot);
        boxes_.forget(layer, at.block, at.slot);
    }
}

void PoolBackend::after_append(const NewTokens& some, LayerId layer) {
    if (some.work.reads == nullptr) return;
    const std::uint32_t end = some.work.token_indices[some.end - 1] + 1, size = layout().block_size;
    for (std::uint32_t entry = 0; entry * size < end; ++entry)
        boxes_.cover(layer, place(some.work, layer, HeadId(0), entry * size).block,
                     std::min(size, end - entry * size));
}

void PoolBackend::choose_reads(const SequenceWork& work, LayerId layer, const QueryHead& who,
                               std::span<const float> q) const {
    const std::uint32_t own = work.token_indices[who.row], size = layout().block_size;
    if (!work.reads->chooses(layer, own)) return;
    std::vector<float> room(3 * q.size()), bounds;
    for (std::uint32_t entry = 0; entry * size <= own; ++entry) {
        const BlockId block = place(work, layer, who.kv_head, entry * size).block;
        bounds.push_back(boxes_.bound(
            {layer, who.kv_head, block, std::min(size, own + 1 - entry * size)}, q, room));
    }
    work.reads->of(who.row, layer, who.head) = choose_blocks(bounds, work.reads->choice_for(own));
}

}  // namespace kv
