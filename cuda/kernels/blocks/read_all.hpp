#pragma once
// Reads memory and does next to nothing with it: the ceiling that the benches hold kernels against.
// grid (blocks), block 256 threads; reads every word once, writes one word per block.

#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct ReadAll {
    static constexpr const char* kName = "read_all";
    static constexpr u32 kThreads = 256, kInFlight = 4;  // loads of a thread at a time
    View<const std::byte> bytes;                         // a multiple of 16, and begins at one
    View<u32> sums;                                      // (blocks)

    LaunchShape shape() const { return {sums.size, kThreads, shared_bytes(kThreads)}; }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u64 n = bytes.size / kPiece, step = sums.size * kThreads;
        auto parts = block.words(kThreads);
        block.each([&](u32 t) {
            u32 sum = 0;
            for (u64 i = block.index() * kThreads + t; i < n; i += kInFlight * step) {
                u32 words[kInFlight][4] = {};
                for (u32 k = 0; k < kInFlight; ++k)
                    if (i + k * step < n) load(i + k * step, words[k]);
                for (u32 k = 0; k < kInFlight; ++k)
                    sum ^= words[k][0] ^ words[k][1] ^ words[k][2] ^ words[k][3];
            }
            parts[t] = sum;
        });
        block.sync();
        block.each([&](u32 t) {
            if (t != 0) return;
            u32 sum = 0;
            for (u32 i = 0; i < kThreads; ++i) sum ^= parts[i];
            sums[block.index()] = sum;
        });
    }

private:
    KV_HD void load(u64 piece, u32* words) const {
        const std::byte* at = aligned(bytes.range(piece * kPiece, kPiece), kPiece);
#if defined(__CUDA_ARCH__)
        const uint4 loaded = *reinterpret_cast<const uint4*>(at);
        words[0] = loaded.x, words[1] = loaded.y, words[2] = loaded.z, words[3] = loaded.w;
#else
        memcpy(words, at, kPiece);
#endif
    }
};

}  // namespace kv::gpu
