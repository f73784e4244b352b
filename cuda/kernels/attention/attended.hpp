#pragma once
// What a launch of attention is given: the queries of some rows of a pass, the pool, and where a
// pass's own tokens begin, whose keys and values may be wanted as they were before they were coded.

#include <cmath>

#include "core/base/kv_head.hpp"
#include "core/base/planted.hpp"
#include "cuda/kernels/attention/paged_kv.hpp"

namespace kv::gpu {

// One key or value as it is looked at: stored, still in float, or spread over a group of keys.
struct Seen {
    const float* exact = nullptr;
    const std::byte* stored = nullptr;
    AnyCoded coded = {};
    const PagedKv* group = nullptr;
    u32 sequence = 0, head = 0, slot = 0;
    KV_HD float at(u32 c) const {
        if (group != nullptr) return group->group_element(sequence, head, slot, c);
        return exact != nullptr ? exact[c] : coded.at(stored, c);
    }
};

struct Attended {
    PagedKv cache;
    View<const float> q, k, v;  // (n_rows, n_heads x k_dim), (n_rows, n_kv_heads x dim): the pass
    View<float> attention_output;           // (n_rows, n_heads x v_dim)
    View<const u32> rows;                   // those of the pass that this launch serves
    View<const u32> sequence_of, slots;     // (n_rows): whose token it is, and where it stands
    View<const u32> first_row, first_slot;  // (n_sequences): where its own tokens begin
    View<const u32> coded_k, coded_v;       // (n_rows), with a residual: the slots that are coded
    u32 n_heads = 0, n_kv_heads = 0;
    u32 window = 0;  // tokens that a query sees; 0: all
    bool exact_k = false, exact_v = false;

    KV_HD u32 group() const { return group_size(n_heads, n_kv_heads); }
    KV_HD u32 kv_head(u32 head) const { return kv_head_of(head, n_heads, n_kv_heads).value; }
    KV_HD u32 dim(Side side) const { return cache.layout.vector(side).dim; }
    KV_HD float scale() const { return 1 / std::sqrt(static_cast<float>(dim(Side::K))); }
    KV_HD bool exact(Side side) const { return side == Side::K ? exact_k : exact_v; }

    // The slots that the query of a row sees: [begin, end).
    KV_HD u32 end(u32 row) const {
        if (planted(PlantedBug::KernelTailNotMasked)) return end_wrongly(row);
        return slots[row] + 1;
    }
    KV_HD u32 end_wrongly(u32 row) const {  // of the block
        return (slots[row] / cache.layout.block_size + 1) * cache.layout.block_size;
    }
    KV_HD u32 begin(u32 row) const {
        const u32 n = slots[row] + 1;
        return window != 0 && n > window ? n - window : 0;
    }
    // What the query of a row sees of a slot: a token of its own pass as it was computed, where
    // that is wanted; else one that waits in the residual, or what the pool has.
    KV_HD Seen seen(Side side, u32 row, u32 head, u32 slot) const {
        const u32 sequence = sequence_of[row];
        if (exact(side) && slot >= first_slot[sequence])
            return own(side, first_row[sequence] + slot - first_slot[sequence], head);
        if (cache.waits(side)) return held_or_coded(side, row, sequence, head, slot);
        return stored(side, head, cache.pool_slot(sequence, head, slot));
    }
    // The newest in fp16; older values token by token, older keys in groups.
    KV_HD Seen held_or_coded(Side side, u32 row, u32 sequence, u32 head, u32 slot) const {
        const u32 d = dim(side);
        if (slot >= (side == Side::K ? coded_k : coded_v)[row])
            return {.stored = cache.residual.row(side, sequence, head, slot, d),
                    .coded = {.codec = {.code = ElementCode::Fp16}, .dim = d, .bits = 16}};
        if (side == Side::K)
            return {.group = &cache, .sequence = sequence, .head = head, .slot = slot};
        return {.stored = cache.vector(side, head, cache.pool_slot(sequence, head, slot)),
                .coded = cache.coded_value()};
    }
    KV_HD Seen own(Side side, u32 row, u32 head) const {
        const u64 d = dim(side);
        return {.exact = (side == Side::K ? k : v).range((u64{row} * n_kv_heads + head) * d, d)};
    }
    KV_HD Seen stored(Side side, u32 head, u32 pool_slot) const {
        return {.stored = cache.vector(side, head, pool_slot), .coded = cache.coded(side)};
    }
    KV_HD float query(u32 row, u32 head, u32 c) const {
        return q[(u64{row} * n_heads + head) * dim(Side::K) + c];
    }
    KV_HD float& output(u32 row, u32 head, u32 c) const {
        return attention_output[(u64{row} * n_heads + head) * dim(Side::V) + c];
    }
};

// The bytes that attention cannot do without: the keys and values that its queries see, of every KV
// head once for a sequence, the queries, and the outputs.
inline u64 attention_bytes(const Attended& a, u64 kv_tokens) {
    const u64 k_dim = a.dim(Side::K), v_dim = a.dim(Side::V);
    return kv_tokens * a.n_kv_heads * (a.cache.layout.k.bytes + a.cache.layout.v.bytes) +
           a.rows.size * a.n_heads * (k_dim + v_dim) * sizeof(float);
}
// FLOPs of `pairs` pairs of a query and a key that it sees, in each head.
inline u64 attention_flops(const Attended& a, u64 pairs) {
    return 2 * pairs * a.n_heads * (a.dim(Side::K) + a.dim(Side::V));
}

}  // namespace kv::gpu
