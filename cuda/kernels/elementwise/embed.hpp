#pragma once
// The residual stream begins as the rows of the embedding.
// grid (rows), block 128 threads; reads and writes n_rows rows once.

#include "cuda/kernels/matmul/weights.hpp"

namespace kv::gpu {

struct Embed {
    static constexpr const char* kName = "embed";
    WeightView embedding;    // (vocab, hidden)
    View<const u32> tokens;  // (n_rows)
    View<float> x;           // (n_rows, hidden)
    u32 n_rows = 0;

    LaunchShape shape() const { return {n_rows, 128}; }
    u64 bytes() const {
        return n_rows * (embedding.row_bytes() + embedding.columns * sizeof(float) + sizeof(u32));
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u64 row = block.index(), width = embedding.columns;
        block.each([&](u32 t) {
            for (u64 c = t; c < width; c += block.size())
                x[row * width + c] = embedding.at(tokens[row], c);
        });
    }
};

}  // namespace kv::gpu
