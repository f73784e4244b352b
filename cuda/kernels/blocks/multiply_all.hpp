#pragma once
// Multiplies and adds in registers and touches no memory before its end: the other ceiling, of
// arithmetic in float without tensor cores.
// grid (blocks), block 256 threads; writes one word per thread.

#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct MultiplyAll {
    static constexpr const char* kName = "multiply_all";
    static constexpr u32 kThreads = 256, kChains = 8;  // sums that do not wait for each other
    View<float> sums;                                  // (blocks, threads)
    u32 n_rounds = 0;

    LaunchShape shape() const { return {sums.size / kThreads, kThreads}; }
    u64 flops() const { return 2 * sums.size * kChains * n_rounds; }

    template <class Block>
    KV_HD void run(Block& block) const {
        block.each([&](u32 t) {
            Array<float, kChains> chains;  // no two alike, or one would do for all
            for (u32 i = 0; i < kChains; ++i) chains[i] = static_cast<float>(t + i);
            for (u32 round = 0; round < n_rounds; ++round)
                for (u32 i = 0; i < kChains; ++i) chains[i] = chains[i] * 0.999f + 0.001f;
            float sum = 0;
            for (u32 i = 0; i < kChains; ++i) sum += chains[i];
            sums[block.index() * kThreads + t] = sum;
        });
    }
};

}  // namespace kv::gpu
