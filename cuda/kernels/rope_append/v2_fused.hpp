#pragma once
// v2: one launch from the projections to the pool: norm, RoPE, the Hadamard transform, coding and
// the paged append.
// Follows v1: for one token each of its launches costs more than its bytes, and quantised caches
// were slower than plain ones for that reason alone. Queries, keys and values go side by side.
// grid (rows x (n_heads + 2 n_kv_heads)), block 32 threads; a warp takes one head from end to end.

#include "cuda/kernels/rope_append/heads.hpp"

namespace kv::gpu {

struct RopeQuantizeAppend {
    static constexpr const char* kName = "rope_append v2";
    NewHeads heads;
    NormAndRope rope;

    LaunchShape shape() const {
        return {u64{heads.n_rows} * (heads.n_heads + 2 * heads.n_kv_heads), kWarp,
                shared_bytes(heads.largest_dim()) + shared_bytes(2 * heads.largest_dim())};
    }
    u64 bytes() const { return heads.bytes(); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 n = heads.n_heads + 2 * heads.n_kv_heads;
        const u32 row = static_cast<u32>(block.index() / n),
                  i = static_cast<u32>(block.index() % n);
        auto values = block.floats(heads.largest_dim());
        auto scales = block.floats(2 * heads.largest_dim());
        if (i < heads.n_heads) {
            const u32 dim = heads.dim(Side::K);
            norm_and_rotate(block, rope, rope.q_norm, row, heads.q_head(row, i), dim);
            if (heads.hadamard) stage_head(block, heads.q_head(row, i), dim, true, values);
            return;
        }
        const Side side = i < heads.n_heads + heads.n_kv_heads ? Side::K : Side::V;
        const u32 head = (i - heads.n_heads) % heads.n_kv_heads, dim = heads.dim(side);
        float* own = heads.kv_head(side, row, head);
        if (side == Side::K) norm_and_rotate(block, rope, rope.k_norm, row, own, dim);
        stage_head(block, own, dim, heads.hadamard, values);
        append_head(block, heads, side, row, head, values, scales);
    }
};

}  // namespace kv::gpu
