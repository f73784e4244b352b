#pragma once
// v2: one warp per output and up to eight rows of x, so a weight is read once for all of them.
// Follows v1, whose threads read a row apart: here the 32 threads of a warp read 512 bytes that lie
// together, 16 each, and add their sums at the end. For one token up to eight; the decode path.
// grid (outputs / 4, rows / 8), block 128 threads = 4 warps.

#include "core/base/planted.hpp"
#include "cuda/kernels/matmul/product.hpp"

namespace kv::gpu {

struct MatmulWarpPerOutput {
    static constexpr const char* kName = "matmul v2";
    static constexpr u32 kRows = 8, kWarps = 4;
    Product p;

    u64 output_blocks() const { return ceil_of(p.outputs(), kWarps); }
    LaunchShape shape() const {
        return {output_blocks() * ceil_of(p.n_rows, kRows), kWarps * kWarp};
    }
    u64 bytes() const { return p.bytes(); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 n_blocks = static_cast<u32>(ceil_of(p.outputs(), kWarps));
        const u32 first_output = static_cast<u32>(block.index() % n_blocks) * kWarps;
        const u32 first_row = static_cast<u32>(block.index() / n_blocks) * kRows;
        const u32 n_rows = p.n_rows - first_row < kRows ? p.n_rows - first_row : kRows;
        auto sums = block.per_thread(Array<float, kRows>{}),
             gated = block.per_thread(Array<float, kRows>{});
        block.each([&](u32 t) {
            const u32 output = first_output + t / kWarp, lane = t % kWarp;
            if (output >= p.outputs()) return;
            const auto at = p.place(output);
            add(p.parts[at.part].w, at.row, first_row, n_rows, lane, sums[t]);
            if (p.end == ProductEnd::Gated)
                add(p.parts[1].w, at.row, first_row, n_rows, lane, gated[t]);
        });
        block.sum_lanes(sums, kWarp);
        if (p.end == ProductEnd::Gated) block.sum_lanes(gated, kWarp);
        block.each([&](u32 t) {
            const u32 output = first_output + t / kWarp;
            if (t % kWarp != 0 || output >= p.outputs()) return;
            for (u32 i = 0; i < kRows; ++i)
                if (i < n_rows) p.finish(p.place(output), first_row + i, sums[t][i], gated[t][i]);
        });
    }

private:
    // This lane's share of one row of W times n_rows rows of x: pieces of 16 bytes, then what is
    // left of a row that they do not fill.
    KV_HD void add(const WeightView& w, u32 row, u32 first_row, u32 n_rows, u32 lane,
                   Array<float, kRows>& sums) const {
        const u32 of_piece = w.bf16 ? 8 : 4, columns = p.columns();
        const u32 n_pieces = columns % of_piece == 0 ? columns / of_piece : 0;
        for (u32 piece = lane; piece < n_pieces; piece += kWarp) {
            const Piece weights = load_piece(w, row, piece);
            for (u32 i = 0; i < kRows; ++i) {
                if (i >= n_rows) continue;
                const u64 x = u64{first_row + i} * columns + piece * of_piece;
                for (u32 c = 0; c < 8; ++c)
                    if (c < of_piece) sums[i] += weights.values[c] * p.x[x + c];
            }
        }
        if (planted(PlantedBug::KernelColumnsLeft)) return;
        for (u32 c = n_pieces * of_piece + lane; c < columns; c += kWarp)
            for (u32 i = 0; i < kRows; ++i)
                if (i < n_rows) sums[i] += w.at(row, c) * p.x[u64{first_row + i} * columns + c];
    }
};

}  // namespace kv::gpu
