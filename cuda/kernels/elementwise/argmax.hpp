#pragma once
// The token with the largest logit, the first of several: what sampling at temperature 0 takes.
// grid (rows), block 256 threads; reads the logits once.

#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct Argmax {
    static constexpr const char* kName = "argmax";
    static constexpr u32 kThreads = 256;
    View<const float> logits;  // (n_rows, width)
    View<u32> tokens;          // (n_rows)
    u32 n_rows = 0, width = 0;

    LaunchShape shape() const { return {n_rows, kThreads, 2 * shared_bytes(kThreads)}; }
    u64 bytes() const { return u64{n_rows} * width * sizeof(float); }

    template <class Block>
    KV_HD void run(Block& block) const {
        auto values = block.floats(kThreads);
        auto places = block.words(kThreads);
        block.each([&](u32 t) {
            u32 best = t < width ? t : 0;
            for (u32 c = t; c < width; c += kThreads)
                if (at(block.index(), c) > at(block.index(), best)) best = c;
            values[t] = at(block.index(), best);
            places[t] = best;
        });
        for (u32 half = kThreads / 2; half > 0; half /= 2) {
            block.sync();
            block.each([&](u32 t) {
                if (t >= half) return;
                const float a = values[t], b = values[t + half];
                const u32 place_a = places[t], place_b = places[t + half];
                if (a > b || (a == b && place_a <= place_b)) return;
                values[t] = b;
                places[t] = place_b;
            });
        }
        block.sync();
        block.each([&](u32 t) {
            if (t == 0) tokens[block.index()] = places[0];
        });
    }

private:
    KV_HD float at(u64 row, u32 c) const { return logits[row * width + c]; }
};

}  // namespace kv::gpu
