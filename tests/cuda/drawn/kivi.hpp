#pragma once
// Drawn sequences whose newest tokens wait in fp16: shapes, tables, passes and what others have
// stored before them.

#include <optional>
#include <string>

#include "tests/cuda/drawn/drawn.hpp"
#include "tests/cuda/kernels/kivi_case.hpp"

namespace kv::test {

struct DrawnKivi {
    KiviShape shape;
    std::vector<u32> block_order;
    u32 splits = 1;
};

struct Affordable {
    u32 tokens, passes, last;  // of all passes; exactly so many passes; tokens of the last
};
inline KiviShape::Sequence draw_waiting(Drawn& drawn, const Affordable& most) {
    KiviShape::Sequence s;
    s.base = drawn.one_in(3) ? 32 * drawn.between(1, 5) : 0;
    const u32 special[] = {1, 127, 128, 129, 160, 161, 255, 256, 257, 289};
    const u32 all = drawn.one_in(2) ? special[drawn.below(10)] : drawn.between(1, 300);
    u32 left = std::max(1u, std::min(all, most.tokens));
    left = left > s.base ? left - s.base : 1;
    const u32 last = std::min(left, drawn.between(1, most.last));
    left -= last;
    for (u32 i = 1; i < most.passes; ++i) {
        s.chunks.push_back(i + 1 == most.passes ? left : drawn.below(left + 1));
        left -= s.chunks.back();
    }
    s.chunks.push_back(last);
    return s;
}

inline DrawnKivi draw_kivi(Drawn& drawn, u64 most_numbers) {
    DrawnKivi d;
    KiviShape& s = d.shape;
    const bool narrow = drawn.one_in(2);  // then more tokens can be afforded
    const auto dim = [&] { return 8 * drawn.between(2, narrow ? 4 : 32); };
    const Codec kivi[] = {{ElementCode::Int4, ScaleMode::Kivi},
                          {ElementCode::Int2, ScaleMode::Kivi}};
    s.n_kv_heads = drawn.between(1, narrow ? 1 : 3);
    s.group = drawn.between(1, 4);
    s.k_dim = dim();
    s.v_dim = drawn.one_in(2) ? dim() : s.k_dim;
    const u32 sides = drawn.below(3);  // both, keys, values
    s.pool.k = sides == 2 ? drawn.codec(Side::K, s.k_dim) : kivi[drawn.below(2)];
    s.pool.v = sides == 1 ? drawn.codec(Side::V, s.v_dim) : kivi[drawn.below(2)];
    if (codec_objection(s.pool.v, Side::V, s.v_dim)) s.v_dim = s.v_dim / 32 * 32;
    s.pool.block_size = drawn.between(1, 128);
    s.pool.order = drawn.one_in(2) ? KvOrder::HeadMajor : KvOrder::TokenMajor;
    s.pool.prefill = drawn.one_in(2) ? Prefill::Quantized : Prefill::Exact;
    s.window = drawn.one_in(4) ? drawn.between(1, 200) : 0;
    s.by_head = drawn.one_in(4);
    s.seed = drawn.below(65536);
    const double reaches[] = {1, 1e-5, 2000};
    s.reach = reaches[drawn.below(3)];
    const u32 n = drawn.between(1, narrow ? 1 : 3), n_passes = drawn.between(2, 4);
    const u64 of_token = u64{n} * s.n_kv_heads * (s.k_dim + s.v_dim);
    const u32 most = static_cast<u32>(std::clamp<u64>(most_numbers / of_token, 1, 300));
    const u32 most_last =
        static_cast<u32>(std::clamp<u64>(most_numbers * 4 / (of_token * s.group * most), 1, 6));
    const auto row_sets = drawn.permutation(4);
    s.n_row_sets = 4;
    for (u32 i = 0; i < n; ++i) {
        s.sequences.push_back(draw_waiting(drawn, {most, n_passes, most_last}));
        s.sequences.back().row_set = row_sets[i];
    }
    s.pool.n_blocks = s.n_blocks();
    d.block_order = drawn.permutation(s.n_blocks());
    d.splits = drawn.between(1, 6);
    return d;
}

inline std::string in_words(const DrawnKivi& d) {
    const KiviShape& s = d.shape;
    std::string text = std::to_string(s.n_kv_heads) + " x " + std::to_string(s.group) +
                       " heads of " + std::to_string(s.k_dim) + " and " + std::to_string(s.v_dim) +
                       ", blocks of " + std::to_string(s.pool.block_size) + ", " +
                       codec_name(s.pool.k) + " and " + codec_name(s.pool.v) + ", prefill " +
                       std::string(name_of(s.pool.prefill)) + ", window " +
                       std::to_string(s.window) + (s.by_head ? ", by head" : "") + ", passes:";
    for (const auto& sequence : s.sequences) {
        text += " " + std::to_string(sequence.base);
        for (const u32 chunk : sequence.chunks) text += "+" + std::to_string(chunk);
    }
    return text;
}

}  // namespace kv::test
