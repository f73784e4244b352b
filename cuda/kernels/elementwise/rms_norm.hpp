#pragma once
// y = x / sqrt(mean(x^2) + eps) * weight, row by row.
// grid (rows), block 128 threads; reads x twice (the second time from the cache), writes y once.

#include <cmath>

#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct RmsNorm {
    static constexpr const char* kName = "rms_norm";
    View<const float> x;       // (all rows, width)
    View<const float> weight;  // (width)
    View<float> y;             // (n_rows, width)
    View<const u32> rows;      // which of x, one for each row of y; none: all, in order
    u32 n_rows = 0, width = 0;
    float eps = 0;

    LaunchShape shape() const { return {n_rows, 128, shared_bytes(4)}; }
    u64 bytes() const { return (2 * u64{n_rows} + 1) * width * sizeof(float); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u64 to = block.index() * width;
        const u64 from = rows.empty() ? to : u64{rows[block.index()]} * width;
        auto partial = block.floats(4);
        auto squares = block.per_thread(0.0f);
        block.each([&](u32 t) {
            for (u32 c = t; c < width; c += block.size()) squares[t] += x[from + c] * x[from + c];
        });
        const float mean = sum_of_block(block, squares, partial) / static_cast<float>(width);
        const float scale = 1 / std::sqrt(mean + eps);
        block.each([&](u32 t) {
            for (u32 c = t; c < width; c += block.size())
                y[to + c] = x[from + c] * scale * weight[c];
        });
    }
};

}  // namespace kv::gpu
