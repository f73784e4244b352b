#pragma once
// cos and sin of position x frequency, once for all layers and heads of a pass. In double, as the
// other backends have it: far from the start a float angle is off by more than a key can bear.
// grid (rows), block 64 threads; writes n_rows x head_dim floats.

#include <cmath>

#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct Angles {
    static constexpr const char* kName = "angles";
    View<const double> frequencies;  // (head_dim / 2)
    View<const u32> positions;       // (n_rows)
    View<float> cosine, sine;        // (n_rows, head_dim / 2)
    u32 n_rows = 0;

    LaunchShape shape() const { return {n_rows, 64}; }
    u64 bytes() const { return n_rows * frequencies.size * 2 * sizeof(float); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u64 row = block.index(), half = frequencies.size;
        block.each([&](u32 t) {
            for (u64 i = t; i < half; i += block.size()) {
                const double angle = positions[row] * frequencies[i];
                cosine[row * half + i] = static_cast<float>(std::cos(angle));
                sine[row * half + i] = static_cast<float>(std::sin(angle));
            }
        });
    }
};

}  // namespace kv::gpu
