#pragma once
// What is done to the heads of a new token before anyone attends: norm, RoPE, the Hadamard
// transform, and the way into the pool. Each function is one warp at one head; the rungs differ in
// how many of them go into one launch.

#include <cmath>

#include "cuda/kernels/attention/paged_kv.hpp"
#include "cuda/kernels/codec/code_vector.hpp"

namespace kv::gpu {

// What the first step needs of a pass: angles and norms.
struct NormAndRope {
    View<const float> cosine, sine;    // (n_rows, dim / 2)
    View<const u32> rotated;           // (n_rows): 0 where keys are rotated when they are read
    View<const float> q_norm, k_norm;  // (dim), or none
    float eps = 0;
};

// Norm and RoPE of one head in place. Element i and element i + dim / 2 belong to one thread.
template <class Block>
KV_HD void norm_and_rotate(Block& block, const NormAndRope& rope, const View<const float>& norm,
                           u32 row, float* head, u32 dim) {
    const u32 half = dim / 2;
    auto squares = block.per_thread(0.0f);
    block.each([&](u32 t) {
        for (u32 i = t; i < half; i += block.size())
            squares[t] += head[i] * head[i] + head[i + half] * head[i + half];
    });
    block.sum_lanes(squares, kWarp);
    block.each([&](u32 t) {
        const float scale =
            norm.empty() ? 1 : 1 / std::sqrt(squares[t] / static_cast<float>(dim) + rope.eps);
        const bool rotated = rope.rotated[row] != 0;
        for (u32 i = t; i < half; i += block.size()) {
            const float a = norm.empty() ? head[i] : head[i] * scale * norm[i];
            const float b = norm.empty() ? head[i + half] : head[i + half] * scale * norm[i + half];
            const float cos = rotated ? rope.cosine[u64{row} * half + i] : 1;
            const float sin = rotated ? rope.sine[u64{row} * half + i] : 0;
            head[i] = a * cos - b * sin;
            head[i + half] = b * cos + a * sin;
        }
    });
}

// A head into shared memory; with `hadamard`, through the Walsh-Hadamard transform and back to
// where it came from. Ends behind a barrier.
template <class Block, class Shared>
KV_HD void stage_head(Block& block, float* head, u32 dim, bool hadamard, Shared& shared) {
    block.sync();  // whoever wrote the head has done so
    block.each([&](u32 t) {
        for (u32 i = t; i < dim; i += block.size()) shared[i] = head[i];
    });
    block.sync();
    if (!hadamard) return;
    for (u32 half = 1; half < dim; half *= 2) {
        block.each([&](u32 t) {
            for (u32 pair = t; pair < dim / 2; pair += block.size()) {
                const u32 i = pair / half * 2 * half + pair % half;
                const float a = shared[i], b = shared[i + half];
                shared[i] = a + b;
                shared[i + half] = a - b;
            }
        });
        block.sync();
    }
    const float scale = 1 / std::sqrt(static_cast<float>(dim));
    block.each([&](u32 t) {
        for (u32 i = t; i < dim; i += block.size()) {
            const float value = shared[i] * scale;
            shared[i] = value;
            head[i] = value;
        }
    });
    block.sync();
}

// The new tokens of a pass: queries, keys and values as they were projected, and where keys and
// values go.
struct NewHeads {
    PagedKv cache;
    View<float> q, k, v;           // (n_rows, n_heads x dim), (n_rows, n_kv_heads x dim)
    View<const u32> slot_mapping;  // (lanes, n_rows): slots of the pool
    u32 n_rows = 0, n_heads = 0, n_kv_heads = 0;
    bool hadamard = false;

    KV_HD u32 dim(Side side) const { return cache.layout.vector(side).dim; }
    KV_HD float* q_head(u32 row, u32 head) const {
        const u64 d = dim(Side::K);
        return q.range((u64{row} * n_heads + head) * d, d);
    }
    KV_HD float* kv_head(Side side, u32 row, u32 head) const {
        const u64 d = dim(side);
        return (side == Side::K ? k : v).range((u64{row} * n_kv_heads + head) * d, d);
    }
    KV_HD std::byte* place(Side side, u32 row, u32 head) const {
        const u32 lane = cache.lanes.of(cache.layer, head);
        const u32 slot = slot_mapping[u64{lane} * n_rows + row];
        return cache.pool.range(cache.offset_of_pool_slot(side, head, slot),
                                cache.layout.vector(side).bytes);
    }
    // q and k read and written in place, v read; what is coded written.
    u64 bytes() const {
        const u64 k_dim = dim(Side::K), v_dim = dim(Side::V);
        return n_rows * (2 * n_heads * k_dim * sizeof(float) +
                         n_kv_heads * ((2 * k_dim + v_dim) * sizeof(float) + cache.layout.k.bytes +
                                       cache.layout.v.bytes));
    }
    KV_HD u32 largest_dim() const {
        return dim(Side::K) > dim(Side::V) ? dim(Side::K) : dim(Side::V);
    }
};

// Codes a staged head into its slot. `values`: (dim), shared, as stage_head leaves it. `scales`:
// (2 dim), shared, for code_vector.
template <class Block, class Shared>
KV_HD void append_head(Block& block, const NewHeads& heads, Side side, u32 row, u32 head,
                       Shared& values, Shared& scales) {
    if (heads.cache.waits(side)) return;  // it waits: see kernels/residual
    const AnyCoded coded = heads.cache.coded(side);
    code_vector(block, coded, values, scales, heads.place(side, row, head));
}

}  // namespace kv::gpu
