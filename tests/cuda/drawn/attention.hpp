#pragma once
// A drawn case of attention, and what any kernel that attends does wrong in it.

#include <string>

#include "tests/cuda/drawn/drawn.hpp"
#include "tests/cuda/kernels/case_on_gpu.hpp"

namespace kv::test {

struct DrawnAttention {
    CaseShape shape;
    u32 splits = 1, pairs = 1;  // pairs of a query and a head in a block of prefill
};

inline u32 drawn_length(Drawn& drawn, u32 n_new, u32 block_size, u64 most) {
    const u32 b = block_size, special[] = {n_new, b - 1, b, b + 1, 2 * b, 31, 32, 33, 65};
    const u32 n = drawn.one_in(2) ? special[drawn.below(9)] : n_new + drawn.below(300);
    return std::max(n_new, static_cast<u32>(std::min<u64>(n, n_new + most)));
}

// About `most_numbers` of keys and values are looked at in all: emulated runs take their time.
inline DrawnAttention draw_attention(Drawn& drawn, u64 most_numbers) {
    DrawnAttention d;
    CaseShape& s = d.shape;
    s.group = drawn.between(1, 16);
    s.n_kv_heads = drawn.between(1, s.group > 8 ? 2 : 4);
    s.k_dim = drawn.head_dim();
    s.v_dim = drawn.one_in(2) ? drawn.head_dim() : s.k_dim;
    s.block_size = drawn.between(1, 128);
    s.k = drawn.codec(Side::K, s.k_dim);
    s.v = drawn.one_in(2) ? drawn.codec(Side::V, s.v_dim) : s.k;
    if (codec_objection(s.v, Side::V, s.v_dim)) s.v = Codec::Bf16;
    s.order = drawn.one_in(2) ? KvOrder::HeadMajor : KvOrder::TokenMajor;
    s.window = drawn.one_in(3) ? drawn.between(1, 80) : 0;
    s.exact = drawn.one_in(3);
    s.by_head = drawn.one_in(3);
    s.sharing = drawn.one_in(2);
    const bool chunks = drawn.one_in(2);
    const u64 of_key = u64{s.group} * s.n_kv_heads * (s.k_dim + s.v_dim);
    const auto affordable = [&](u64 each, u32 most) {
        return static_cast<u32>(std::clamp<u64>(most_numbers / each, 1, most));
    };
    const u32 n = drawn.between(1, affordable(2 * of_key, 8));
    s.lengths.clear();
    for (u32 i = 0; i < n; ++i) {
        const u32 n_new = chunks ? drawn.between(1, affordable(4 * of_key * n, 6)) : 1;
        s.new_tokens.push_back(n_new);
        s.lengths.push_back(
            drawn_length(drawn, n_new, s.block_size, most_numbers / (of_key * n * n_new)));
    }
    d.splits = drawn.between(1, 12);
    d.pairs = drawn.between(1, gpu::kMostPairs);
    s.block_order = drawn.permutation(AttentionCase::layout_of(s).n_blocks);
    return d;
}

inline std::string in_words(const DrawnAttention& d) {
    const CaseShape& s = d.shape;
    std::string text = "heads " + std::to_string(s.n_kv_heads) + " x " + std::to_string(s.group) +
                       " of " + std::to_string(s.k_dim) + " and " + std::to_string(s.v_dim) +
                       ", blocks of " + std::to_string(s.block_size) + ", " + codec_name(s.k) +
                       " and " + codec_name(s.v) + ", window " + std::to_string(s.window) +
                       (s.exact ? ", exact" : "") + (s.by_head ? ", by head" : "") +
                       (s.sharing ? ", sharing" : "") + ", " + std::to_string(d.splits) +
                       " splits, new of all:";
    for (std::size_t i = 0; i < s.lengths.size(); ++i)
        text += " " + std::to_string(s.new_tokens[i]) + "/" + std::to_string(s.lengths[i]);
    return text;
}

// The first output that no rounding explains, in words; nothing where there is none.
inline std::optional<std::string> wrong_attention(gpu::Gpu& gpu, const DrawnAttention& d) {
    const AttentionCase on(d.shape);
    const AttentionCase::Truth truth = on.truth();
    CaseOnGpu there(gpu, on);
    const auto wrong = [&](const char* kernel, const std::vector<float>& output) -> std::string {
        for (std::size_t i = 0; i < output.size(); ++i) {
            const double allowed = truth.allowed[i / d.shape.v_dim];
            if (std::abs(output[i] - truth.values[i]) <= allowed) continue;
            return std::string(kernel) + " gives " + std::to_string(output[i]) + " for " +
                   std::to_string(truth.values[i]) + " (within " + std::to_string(allowed) +
                   ") in element " + std::to_string(i) + "; " + in_words(d);
        }
        return {};
    };
    for (const gpu::DecodeRung rung : gpu::kDecodeRungs)
        if (const auto output = there.run(rung, d.splits))
            if (auto what = wrong(name_of(rung), *output); !what.empty()) return what;
    if (auto what = wrong("prefill", there.prefill(d.pairs)); !what.empty()) return what;
    if (auto what = wrong("listed", there.listed()); !what.empty()) return what;
    return std::nullopt;
}

}  // namespace kv::test
