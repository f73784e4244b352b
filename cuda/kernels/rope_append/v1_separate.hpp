#pragma once
// v1: four launches. Queries and keys are normed and rotated (RoPE); queries, keys and values go
// through the Hadamard transform, where a run has it; the scale of a ':tensor' codec is found; keys
// and values are coded into their slots.
// The steps one by one: what a tap has to see between them, and what a scale over all tokens needs.
// grid (rows x heads), block 32 threads each.

#include "cuda/kernels/rope_append/heads.hpp"

namespace kv::gpu {

struct RotateHeads {
    static constexpr const char* kName = "rope_append v1: rotate";
    NewHeads heads;
    NormAndRope rope;

    LaunchShape shape() const {
        return {u64{heads.n_rows} * (heads.n_heads + heads.n_kv_heads), kWarp};
    }
    u64 bytes() const {
        return u64{2} * heads.n_rows * (heads.n_heads + heads.n_kv_heads) * heads.dim(Side::K) *
               sizeof(float);
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 n = heads.n_heads + heads.n_kv_heads;
        const u32 row = static_cast<u32>(block.index() / n),
                  i = static_cast<u32>(block.index() % n);
        if (i < heads.n_heads)
            norm_and_rotate(block, rope, rope.q_norm, row, heads.q_head(row, i),
                            heads.dim(Side::K));
        else
            norm_and_rotate(block, rope, rope.k_norm, row,
                            heads.kv_head(Side::K, row, i - heads.n_heads), heads.dim(Side::K));
    }
};

// The Walsh-Hadamard transform of heads that lie side by side, in place; done twice, it is undone.
struct HadamardHeads {
    static constexpr const char* kName = "rope_append v1: hadamard";
    View<float> values;  // (n, dim)
    u32 dim = 0;

    LaunchShape shape() const { return {values.size / dim, kWarp, shared_bytes(dim)}; }
    u64 bytes() const { return 2 * values.size * sizeof(float); }

    template <class Block>
    KV_HD void run(Block& block) const {
        auto shared = block.floats(dim);
        stage_head(block, values.range(block.index() * dim, dim), dim, true, shared);
    }
};

// One scale for all vectors of a layer and side, from the first that are stored; one that is known
// stays.
struct TakeScale {
    static constexpr const char* kName = "rope_append v1: scale";
    View<const float> values;
    View<u16> scales;  // (n_layers, 2)
    u32 place = 0, bits = 0;

    LaunchShape shape() const { return {1, kWarp}; }
    u64 bytes() const { return values.size * sizeof(float); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u16 known = scales[place];
        const auto at = [&](u32 i) -> float { return values[i]; };
        const float largest = largest_size(block, at, static_cast<u32>(values.size));
        block.each([&](u32 t) {
            if (t == 0 && known == kNoScale) scales[place] = symmetric_scale(largest, bits);
        });
    }
};

struct AppendHeads {
    static constexpr const char* kName = "rope_append v1: append";
    NewHeads heads;

    LaunchShape shape() const {
        return {u64{2} * heads.n_rows * heads.n_kv_heads, kWarp,
                shared_bytes(heads.largest_dim()) + shared_bytes(2 * heads.largest_dim())};
    }
    u64 bytes() const { return heads.bytes(); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const Side side = block.index() % 2 == 0 ? Side::K : Side::V;
        const u32 i = static_cast<u32>(block.index() / 2);
        const u32 row = i / heads.n_kv_heads, head = i % heads.n_kv_heads;
        auto values = block.floats(heads.largest_dim());
        auto scales = block.floats(2 * heads.largest_dim());
        stage_head(block, heads.kv_head(side, row, head), heads.dim(side), false, values);
        append_head(block, heads, side, row, head, values, scales);
    }
};

}  // namespace kv::gpu
