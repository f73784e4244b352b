#pragma once
// v1: scores, softmax and the sum of values are three launches; one block per row and query head.
// The formula of arXiv 1706.03762, word by word. All scores go through memory several times, as
// bytes() counts, and the query heads of a group read the same keys and values once each. grid
// (rows x n_heads), block 128 threads, three times.

#include "cuda/kernels/attention/attended.hpp"

namespace kv::gpu {

inline constexpr u32 kNaiveThreads = 128, kNaiveWarps = kNaiveThreads / kWarp;

struct DecodeScores {
    static constexpr const char* kName = "attention_decode v1: scores";
    Attended a;
    View<float> scores;  // (rows, n_heads, longest)
    u32 longest = 0;

    LaunchShape shape() const { return {a.rows.size * a.n_heads, kNaiveThreads}; }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 row = a.rows[block.index() / a.n_heads];
        const u32 head = static_cast<u32>(block.index() % a.n_heads), kv_head = a.kv_head(head);
        block.each([&](u32 t) {
            for (u32 slot = a.begin(row) + t; slot < a.end(row); slot += block.size()) {
                const Seen key = a.seen(Side::K, row, kv_head, slot);
                float sum = 0;
                for (u32 c = 0; c < a.dim(Side::K); ++c) sum += a.query(row, head, c) * key.at(c);
                scores[block.index() * longest + slot - a.begin(row)] = sum * a.scale();
            }
        });
    }
};

struct DecodeSoftmax {
    static constexpr const char* kName = "attention_decode v1: softmax";
    Attended a;
    View<float> scores;
    u32 longest = 0;

    LaunchShape shape() const {
        return {a.rows.size * a.n_heads, kNaiveThreads, 2 * shared_bytes(kNaiveWarps)};
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 row = a.rows[block.index() / a.n_heads], n = a.end(row) - a.begin(row);
        const u64 first = block.index() * longest;
        auto tops = block.floats(kNaiveWarps), partial = block.floats(kNaiveWarps);
        auto top = block.per_thread(-INFINITY), sum = block.per_thread(0.0f);
        block.each([&](u32 t) {
            for (u32 j = t; j < n; j += block.size())
                if (scores[first + j] > top[t]) top[t] = scores[first + j];
        });
        block.max_lanes(top, kWarp);
        block.each([&](u32 t) {
            if (t % kWarp == 0) tops[t / kWarp] = top[t];
        });
        block.sync();
        float largest = tops[0];
        for (u32 w = 1; w < kNaiveWarps; ++w)
            if (tops[w] > largest) largest = tops[w];
        block.each([&](u32 t) {
            for (u32 j = t; j < n; j += block.size()) {
                scores[first + j] = std::exp(scores[first + j] - largest);
                sum[t] += scores[first + j];
            }
        });
        const float total = sum_of_block(block, sum, partial);
        block.each([&](u32 t) {
            for (u32 j = t; j < n; j += block.size()) scores[first + j] /= total;
        });
    }
};

struct DecodeWeighValues {
    static constexpr const char* kName = "attention_decode v1: sum of values";
    Attended a;
    View<const float> scores;
    u32 longest = 0;

    LaunchShape shape() const { return {a.rows.size * a.n_heads, kNaiveThreads}; }
    // All three launches: keys and values once per query head. A score is written, read for the
    // largest, read and written as a weight, read and written for the division, read with its
    // value.
    u64 bytes(u64 kv_tokens) const {
        return attention_bytes(a, kv_tokens * a.group()) +
               7 * kv_tokens * a.n_heads * sizeof(float);
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 row = a.rows[block.index() / a.n_heads];
        const u32 head = static_cast<u32>(block.index() % a.n_heads), kv_head = a.kv_head(head);
        block.each([&](u32 t) {
            for (u32 c = t; c < a.dim(Side::V); c += block.size()) {
                float sum = 0;
                for (u32 slot = a.begin(row); slot < a.end(row); ++slot)
                    sum += scores[block.index() * longest + slot - a.begin(row)] *
                           a.seen(Side::V, row, kv_head, slot).at(c);
                a.output(row, head, c) = sum;
            }
        });
    }
};

}  // namespace kv::gpu
