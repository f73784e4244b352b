#pragma once
// Scores of many queries with one tile of keys. The keys are transposed once, so that a vector
// holds a column of several of them, and each score grows in a lane of its own. Its products are
// added in the order that products.hpp gives them, lane by lane and then as a tree, so the
// bits are the same; but nothing has to be shuffled at the end. S: vector.hpp.

#include "core/engine/cpu/kernels/tile_attention.hpp"

namespace kv::cpu {
namespace {

// out[c * kTileKeys + j] = column c of key j. Where there is no key j, the last one stands.
template <class S, class Code>
void transpose_keys(const KeyTile& keys, float* out) {
    static_assert(kTileKeys % S::kWidth == 0);
    for (std::size_t j = 0; j < keys.n; j += S::kWidth) {
        const Padded<std::byte, S::kWidth> rows(keys.row, j, keys.n);
        const auto square = [&](std::size_t c, std::size_t columns, auto... count) {
            typename S::V v[S::kWidth];
            unrolled<S::kWidth>([&](auto i) {
                v[i] = S::load(column(reinterpret_cast<const Code*>(rows.at[i]), c), count...);
            });
            S::transpose(v);
            for (std::size_t i = 0; i < columns; ++i) S::store(out + (c + i) * kTileKeys + j, v[i]);
        };
        std::size_t c = 0;
        for (; c + S::kWidth <= keys.dim; c += S::kWidth) square(c, S::kWidth);
        if (c < keys.dim) square(c, keys.dim - c, keys.dim - c);
    }
}

// Q queries with the keys of two vectors, whose sums stand side by side: 2i and 2i + 1 belong to
// query i. What S::sums() would add up in lane c of a vector is added first: the products of
// columns c, c + kWidth, ... Then these sums are added in pairs, and the pairs in pairs:
// tree[level] holds a sum of 2^level lanes that waits for its neighbour, as a digit of a binary
// counter does.
template <class S, std::size_t Q>
void scores_of_part(const float* q, std::size_t dim, const float* keys, const float* scale,
                    float* out) {
    typename S::V tree[S::kTreeDepth][2 * Q], sum[2 * Q];
    for (std::size_t leaf = 0; leaf < S::kWidth; ++leaf) {
        unrolled<2 * Q>([&](auto i) { sum[i] = S::zero(); });
        for (std::size_t c = S::kTree[leaf]; c < dim; c += S::kWidth) {
            const auto a = S::load(keys + c * kTileKeys),
                       b = S::load(keys + c * kTileKeys + S::kWidth);
            unrolled<Q>([&](auto i) {
                const auto x = S::set1(q[i * dim + c]);
                sum[2 * i] = S::fma(a, x, sum[2 * i]);
                sum[2 * i + 1] = S::fma(b, x, sum[2 * i + 1]);
            });
        }
        // Each 1 bit of `leaf` is a level whose sum waits: it is added and carried to the next.
        std::size_t level = 0;
        for (; leaf >> level & 1; ++level)
            unrolled<2 * Q>([&](auto i) { sum[i] = S::add(tree[level][i], sum[i]); });
        if (level < S::kTreeDepth) unrolled<2 * Q>([&](auto i) { tree[level][i] = sum[i]; });
    }
    unrolled<Q>([&](auto i) {
        S::store(out + i * kTileKeys, S::mul(sum[2 * i], S::load(scale)));
        S::store(out + i * kTileKeys + S::kWidth,
                 S::mul(sum[2 * i + 1], S::load(scale + S::kWidth)));
    });
}

template <class S>
void scores_of_transposed(const HeadGroup& heads, const float* transposed, const KeyTile& keys,
                          float* out) {
    constexpr std::size_t kQ = S::kTransposedQueries;
    const std::size_t dim = keys.dim;
    float scale[kTileKeys];
    find_scales(heads, keys, scale);
    for (std::size_t j = 0; j < keys.n; j += 2 * S::kWidth) {
        std::size_t h = 0;
        for (; h + kQ <= heads.size; h += kQ)
            scores_of_part<S, kQ>(heads.q + h * dim, dim, transposed + j, scale + j,
                                  out + h * kTileKeys + j);
        for (; h < heads.size; ++h)
            scores_of_part<S, 1>(heads.q + h * dim, dim, transposed + j, scale + j,
                                 out + h * kTileKeys + j);
    }
}

}  // namespace
}  // namespace kv::cpu
