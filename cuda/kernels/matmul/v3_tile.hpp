#pragma once
// v3: one block per tile of 32 rows and 32 outputs; 32 columns of both at a time lie in shared
// memory.
// Follows v2, which reads every weight again for each eight rows: here once for 32. The prefill
// path. Plain multiply-adds; tensor cores would be the next rung and are not built.
// grid (outputs / 32, rows / 32), block 256 threads; each makes four outputs.

#include "cuda/kernels/matmul/product.hpp"

namespace kv::gpu {

struct MatmulTile {
    static constexpr const char* kName = "matmul v3";
    static constexpr u32 kTile = 32, kThreads = 256, kOfThread = kTile * kTile / kThreads;
    static constexpr u32 kStride = kTile + 1;  // so that a column lies in 32 different banks
    Product p;

    LaunchShape shape() const {
        return {ceil_of(p.outputs(), kTile) * ceil_of(p.n_rows, kTile), kThreads,
                3 * shared_bytes(kTile * kStride)};
    }
    u64 bytes() const { return p.bytes(); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 n_blocks = static_cast<u32>(ceil_of(p.outputs(), kTile));
        const u32 first_output = static_cast<u32>(block.index() % n_blocks) * kTile;
        const u32 first_row = static_cast<u32>(block.index() / n_blocks) * kTile;
        const bool gate = p.end == ProductEnd::Gated;
        auto x = block.floats(kTile * kStride), w = block.floats(kTile * kStride),
             up = block.floats(kTile * kStride);
        auto sums = block.per_thread(Array<float, kOfThread>{}),
             gated = block.per_thread(Array<float, kOfThread>{});
        for (u32 c0 = 0; c0 < p.columns(); c0 += kTile) {
            block.each([&](u32 t) {
                for (u32 i = t; i < kTile * kTile; i += kThreads) {
                    const u32 r = i / kTile, c = i % kTile;
                    x[r * kStride + c] = input(first_row + r, c0 + c);
                    const u32 output = first_output + r;
                    w[r * kStride + c] = weight(output, c0 + c, false);
                    if (gate) up[r * kStride + c] = weight(output, c0 + c, true);
                }
            });
            block.sync();
            block.each([&](u32 t) {
                const u32 output = t % kTile, row = t / kTile;
                for (u32 c = 0; c < kTile; ++c) {
                    const float of_w = w[output * kStride + c];
                    const float of_up = gate ? static_cast<float>(up[output * kStride + c]) : 0;
                    for (u32 i = 0; i < kOfThread; ++i) {
                        const float of_x = x[(row + i * (kThreads / kTile)) * kStride + c];
                        sums[t][i] += of_w * of_x;
                        gated[t][i] += of_up * of_x;
                    }
                }
            });
            block.sync();
        }
        block.each([&](u32 t) {
            const u32 output = first_output + t % kTile;
            if (output >= p.outputs()) return;
            for (u32 i = 0; i < kOfThread; ++i) {
                const u32 row = first_row + t / kTile + i * (kThreads / kTile);
                if (row < p.n_rows) p.finish(p.place(output), row, sums[t][i], gated[t][i]);
            }
        });
    }

private:
    // 0 beyond the edges: it adds nothing.
    KV_HD float input(u32 row, u32 c) const {
        return row < p.n_rows && c < p.columns() ? p.x[u64{row} * p.columns() + c] : 0;
    }
    KV_HD float weight(u32 output, u32 c, bool up) const {
        if (output >= p.outputs() || c >= p.columns()) return 0;
        const auto at = p.place(output);
        return p.parts[up ? 1 : at.part].w.at(at.row, c);
    }
};

}  // namespace kv::gpu
