#pragma once
// Quest, which chooses the blocks that a query head looks at (core/cache/eviction/quest.hpp): for
// each block the bound that no score in it exceeds, from the keys themselves, in the order of sums
// that the other backends have. Boxes are not kept: every key is read once per query head.
// grid (rows x n_heads), block 128 threads; a thread bounds one block of the table, then the 128th
// from it.

#include "core/base/planted.hpp"
#include "cuda/kernels/attention/attended.hpp"

namespace kv::gpu {

struct JudgeBlocks {
    static constexpr const char* kName = "judge_blocks";
    Attended a;          // rows: those that choose
    View<float> bounds;  // (rows, n_heads, most)
    u32 most = 0;        // blocks that a row of them sees

    LaunchShape shape() const { return {a.rows.size * a.n_heads, 128}; }
    u64 bytes(u64 kv_tokens) const {
        return kv_tokens * a.n_heads * a.cache.layout.k.bytes + bounds.size * sizeof(float);
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 row = a.rows[block.index() / a.n_heads];
        const u32 head = static_cast<u32>(block.index() % a.n_heads);
        const u32 end = a.end(row), size = a.cache.layout.block_size;
        const u32 n_blocks = static_cast<u32>(ceil_of(end, size));
        block.each([&](u32 t) {
            for (u32 entry = t; entry < n_blocks; entry += block.size())
                bounds[block.index() * most + entry] = bound(row, head, entry * size, end);
        });
    }

private:
    static constexpr u32 kLanes = 8;

    // The largest product of each channel with all keys, summed lane by lane and then across.
    KV_HD float bound(u32 row, u32 head, u32 first, u32 end) const {
        const u32 kv_head = a.kv_head(head), size = a.cache.layout.block_size;
        u32 n = end - first < size ? end - first : size;
        if (planted(PlantedBug::KernelBoundOfOneKey)) n = 1;
        const u32 pool_slot = a.cache.pool_slot(a.sequence_of[row], kv_head, first);
        Array<float, kLanes> sums{};
        for (u32 c0 = 0; c0 < a.dim(Side::K); c0 += kLanes)
            for (u32 lane = 0; lane < kLanes && c0 + lane < a.dim(Side::K); ++lane) {
                const float q = a.query(row, head, c0 + lane);
                float most_of = -INFINITY;
                for (u32 j = 0; j < n; ++j) {
                    const float x = q * a.stored(Side::K, kv_head, pool_slot + j).at(c0 + lane);
                    if (x > most_of) most_of = x;
                }
                sums[lane] += most_of;
            }
        float sum = 0;
        for (u32 lane = 0; lane < kLanes; ++lane) sum += sums[lane];
        return sum;
    }
};

}  // namespace kv::gpu
