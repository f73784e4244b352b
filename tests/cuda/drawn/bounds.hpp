#pragma once
// Drawn tables whose blocks are judged, and what a judgement gets wrong: the bound is that of the
// smallest and the largest number of each channel, and no key of the block scores above it.

#include "tests/cuda/drawn/attention.hpp"

namespace kv::test {

struct DrawnBounds {
    DrawnAttention of;
    std::vector<u32> rows;  // those that choose, in the order of the launch
    u32 spare = 0;          // room for blocks that no row sees
};

inline DrawnBounds draw_bounds(Drawn& drawn, u64 most_numbers) {
    DrawnBounds d{draw_attention(drawn, most_numbers), {}, drawn.below(3)};
    d.of.shape.exact = false;  // bounds come from what is stored
    u32 n_rows = 0;
    for (const u32 n : d.of.shape.new_tokens) n_rows += n;
    d.rows = drawn.permutation(n_rows);
    d.rows.resize(drawn.between(1, n_rows));
    return d;
}

// Over the keys of a block that a row sees, in float64. size: what the sum is made of.
struct TrueBound {
    double bound = 0, size = 0, best = -INFINITY;  // best: the largest q . k
};
inline TrueBound true_bound(const AttentionCase& on, u32 row, u32 head, u32 entry) {
    const CaseShape& s = on.shape;
    const u32 first = entry * s.block_size, end = std::min(first + s.block_size, on.slots[row] + 1);
    std::vector<double> least(s.k_dim, INFINITY), most(s.k_dim, -INFINITY);
    TrueBound out;
    for (u32 slot = first; slot < end; ++slot) {
        const auto key = on.decoded(Side::K, on.sequence_of[row], head / s.group, slot);
        double score = 0;
        for (u32 c = 0; c < s.k_dim; ++c) {
            least[c] = std::min<double>(least[c], key[c]);
            most[c] = std::max<double>(most[c], key[c]);
            score += on.query(row, head, c) * key[c];
        }
        out.best = std::max(out.best, score);
    }
    for (u32 c = 0; c < s.k_dim; ++c) {
        const double q = on.query(row, head, c), product = q < 0 ? q * least[c] : q * most[c];
        out.bound += product;
        out.size += std::abs(product);
    }
    return out;
}

inline std::optional<std::string> wrong_bounds(gpu::Gpu& gpu, const DrawnBounds& d) {
    const AttentionCase on(d.of.shape);
    const CaseOnGpu there(gpu, on);
    const u32 size = d.of.shape.block_size, n_heads = on.n_heads();
    u32 most = 0;
    for (const u32 row : d.rows) most = std::max(most, on.slots[row] / size + 1);
    most += d.spare;
    const auto rows = gpu::uploaded(gpu, d.rows);
    const auto bounds = poisoned<float>(gpu, d.rows.size() * n_heads * most);
    gpu::Attended a = there.attended();
    a.rows = rows.view();
    gpu.launch(gpu::JudgeBlocks{a, bounds.view(), most});
    const auto is = gpu::downloaded(gpu, bounds.view());
    for (std::size_t i = 0; i < is.size(); ++i) {
        const u32 entry = static_cast<u32>(i % most), head = static_cast<u32>(i / most % n_heads),
                  row = d.rows[i / most / n_heads];
        const auto wrong = [&](const std::string& what) {
            return "judge_blocks gives " + std::to_string(is[i]) + " " + what + " for entry " +
                   std::to_string(entry) + " of row " + std::to_string(row) + ", head " +
                   std::to_string(head) + "; " + in_words(d.of);
        };
        if (entry > on.slots[row] / size) {
            if (!std::isnan(is[i])) return wrong("where there is no block,");
            continue;
        }
        const TrueBound should = true_bound(on, row, head, entry);
        // A product and a sum of k_dim of them: an u of 2^-24 for each.
        const double allowed = (d.of.shape.k_dim + 4) * 0x1p-24 * should.size;
        if (!(std::abs(is[i] - should.bound) <= allowed))
            return wrong("instead of " + std::to_string(should.bound));
        if (!(is[i] >= should.best - allowed)) return wrong("though a key has more,");
    }
    return std::nullopt;
}

}  // namespace kv::test
