#pragma once
// v1: one thread per output, which walks its row of the matrix from left to right.
// The formula as it stands. Neighbouring threads read addresses a whole row apart, so most of each
// line that comes from memory is thrown away.
// grid (rows x outputs / 128), block 128 threads.

#include "cuda/kernels/matmul/product.hpp"

namespace kv::gpu {

struct MatmulThreadPerOutput {
    static constexpr const char* kName = "matmul v1";
    Product p;

    LaunchShape shape() const { return {ceil_of(u64{p.n_rows} * p.outputs(), 128), 128}; }
    u64 bytes() const { return p.bytes(); }

    template <class Block>
    KV_HD void run(Block& block) const {
        block.each([&](u32 t) {
            const u64 i = block.index() * block.size() + t;
            if (i >= u64{p.n_rows} * p.outputs()) return;
            const u32 row = static_cast<u32>(i / p.outputs());
            const auto at = p.place(static_cast<u32>(i % p.outputs()));
            float sum = 0, gated = 0;
            for (u32 c = 0; c < p.columns(); ++c) {
                const float x = p.x[u64{row} * p.columns() + c];
                sum += p.parts[at.part].w.at(at.row, c) * x;
                if (p.end == ProductEnd::Gated) gated += p.parts[1].w.at(at.row, c) * x;
            }
            p.finish(at, row, sum, gated);
        });
    }
};

}  // namespace kv::gpu
