#pragma once
// The three kernels of attention over a tile of keys and values, in the order in which a tile takes
// them: scores, softmax_step, weigh_values. attention.hpp has the formula, vector.hpp the vector
// type S, which is Avx512 (vector16.hpp) on AVX-512 and AMX. The pack `count...` is empty where a
// whole vector is loaded or stored; only for the last, shorter vector of a row it holds one number,
// how many lanes are left (for_each_vector in vector.hpp).

#include <cstddef>

#include "core/engine/cpu/kernels/products.hpp"

namespace kv::cpu {
namespace {

// scale[j] turns the sum q . codes of key j into a score: 1 / sqrt(head_dim), times the scale of
// the codes where they have one.
inline void find_scales(const HeadGroup& heads, const KeyTile& keys, float* scale) {
    for (std::size_t j = 0; j < kTileKeys; ++j) scale[j] = heads.scale;
    for (std::size_t j = 0; keys.scaled && j < keys.n; ++j) scale[j] *= keys.scale[j];
}

// out[h * kTileKeys + j] = scale x (q of head h . key j): a product (products.hpp) whose rows of
// weights w are the keys, whose rows of activations x are the queries, and whose results y are the
// scores, not yet scaled:
//
//   scores            a tile of keys, at most kMost queries at a time
//   -> product        the queries in parts of at most S::kMostX
//   -> rows_product   a part and kWidth keys at a time (vector_product, where a part is one query)
//   -> accumulate     key x query, lane by lane along the channels: a vector of sums for each pair
//   -> S::sums        the lanes of kWidth such vectors added: a score for each of kWidth keys
template <class S, class Code>
void scores(const HeadGroup& heads, const KeyTile& keys, float* out) {
    constexpr std::size_t kMost = 16;  // query heads whose addresses lie on the stack
    using P = Widened<S, Code>;
    const Code* ks[kTileKeys];
    for (std::size_t j = 0; j < keys.n; ++j) ks[j] = reinterpret_cast<const Code*>(keys.row[j]);
    for (std::size_t h = 0; h < heads.size; h += kMost) {
        const std::size_t n = heads.size - h < kMost ? heads.size - h : kMost;
        const float* qs[kMost];
        for (std::size_t i = 0; i < n; ++i) qs[i] = heads.q + (h + i) * keys.dim;
        product<S, P>({.w = ks,
                       .rows = keys.n,
                       .known = keys.n,  // no tile behind this one is asked for here
                       .x = qs,
                       .n = n,
                       .columns = keys.dim},
                      out + h * kTileKeys, kTileKeys);
    }
    // As plain loops, of which the compiler makes vectors: each score is scaled by one
    // multiplication, so doing several in a vector changes no bit.
    float scale[kTileKeys];
    find_scales(heads, keys, scale);
    for (std::size_t h = 0; h < heads.size; ++h)
        for (std::size_t j = 0; j < keys.n; ++j) out[h * kTileKeys + j] *= scale[j];
}

// exp(x) = 2^n exp(r) with n = round(x / ln 2) and |r| <= ln 2 / 2; the polynomial for exp(r) is
// that of Cephes, off by one unit in the last place. Below -87 the result would be denormal. ln 2
// is the sum of two parts; n times each is taken off by itself, so that r loses no bits.
template <class S>
typename S::V exponential(typename S::V x) {
    using V = typename S::V;
    constexpr float kInverseOfLn2 = 1.44269504f;
    constexpr float kLn2Large = 0.693359375f, kLn2Small = -2.12194440e-4f;
    const V in = S::min(S::set1(88.0f), S::max(S::set1(-87.0f), x));
    // Adding so large a number rounds to an integer, since no other floats lie there; taking it off
    // again leaves that integer.
    const V shifted = S::fma(in, S::set1(kInverseOfLn2), S::set1(S::kRoundsToWhole));
    const V n = S::add(shifted, S::set1(-S::kRoundsToWhole));
    V r = S::fma(n, S::set1(-kLn2Large), in);
    r = S::fma(n, S::set1(-kLn2Small), r);
    // exp(r) = 1 + r + r^2 p, by Horner's rule.
    constexpr float kTerms[] = {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                                1.6666665459e-1f, 5.0000001201e-1f};
    V p = S::set1(1.9875691500e-4f);
    for (const float term : kTerms) p = S::fma(p, r, S::set1(term));
    p = S::add(S::fma(S::mul(r, r), p, r), S::set1(1.0f));
    return S::mul(p, S::exponent(shifted));
}

// m' = max(m, values), values := exp(values - m'), l' = l keep + their sum; answers keep =
// exp(m - m'). Of no keys (sum 0) nothing is kept.
template <class S>
float softmax_step(float* values, std::size_t n, SoftmaxState& state) {
    auto most = S::set1(state.sum == 0 ? values[0] : state.max);
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        most = S::max(most, S::first_of(S::load(values + c, count...), most, count...));
    });
    const float max = S::largest(most);
    auto sum = S::zero();
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        const auto weight = exponential<S>(S::add(S::load(values + c, count...), S::set1(-max)));
        sum = S::add(sum, S::first_of(weight, S::zero(), count...));
        S::store(values + c, weight, count...);
    });
    float keep = state.sum == 0 ? 0.0f : 1.0f;
    if (state.sum != 0 && !(state.max == max)) {
        float all[S::kWidth];
        S::store(all, exponential<S>(S::set1(state.max - max)));
        keep = all[0];
    }
    state.sum = state.sum * keep + S::total(sum);
    state.max = max;
    return keep;
}

// Weighed values take four functions, the innermost first. From the outside in: weigh_values() puts
// the scales of the values into the weights, weigh_codes() takes kSumHeads heads at a time,
// weigh_heads() kSumColumns vectors of columns, and weigh_part() adds over the keys.

// out = out x keep + sum over j of weights[j] x value j, for H heads and C vectors of columns: each
// value is fetched once for all of these heads. `count` is given for a last, shorter vector alone.
template <class S, class Code, std::size_t H, std::size_t C, class... Count>
inline __attribute__((always_inline)) void weigh_part(const ValueSum& of, std::size_t h,
                                                      std::size_t c, Count... count) {
    typename S::V sum[H * C];
    float* out = of.out + h * of.values.dim + c;
    const float* weights = of.weights + h * kTileKeys;
    unrolled<H>([&](auto head) {
        const auto keep = S::set1(of.keep[h + head]);
        unrolled<C>([&](auto i) {
            const float* so_far = out + head * of.values.dim + i * S::kWidth;
            sum[head * C + i] = S::mul(S::load(so_far, count...), keep);
        });
    });
    for (std::size_t j = 0; j < of.values.n; ++j) {
        const Code* value = column(reinterpret_cast<const Code*>(of.values.row[j]), c);
        typename S::V v[C];
        unrolled<C>([&](auto i) { v[i] = S::load(column(value, i * S::kWidth), count...); });
        unrolled<H>([&](auto head) {
            const auto weight = S::set1(weights[head * kTileKeys + j]);
            unrolled<C>(
                [&](auto i) { sum[head * C + i] = S::fma(weight, v[i], sum[head * C + i]); });
        });
    }
    unrolled<H>([&](auto head) {
        unrolled<C>([&](auto i) {
            S::store(out + head * of.values.dim + i * S::kWidth, sum[head * C + i], count...);
        });
    });
}

template <class S, class Code, std::size_t H>
void weigh_heads(const ValueSum& of, std::size_t h) {
    const std::size_t dim = of.values.dim;
    std::size_t c = 0;
    for (; c + S::kSumColumns * S::kWidth <= dim; c += S::kSumColumns * S::kWidth)
        weigh_part<S, Code, H, S::kSumColumns>(of, h, c);
    for (; c + S::kWidth <= dim; c += S::kWidth) weigh_part<S, Code, H, 1>(of, h, c);
    if (c < dim) weigh_part<S, Code, H, 1>(of, h, c, dim - c);
}

template <class S, class Code>
void weigh_codes(const ValueSum& of) {
    std::size_t h = 0;
    for (; h + S::kSumHeads <= of.heads; h += S::kSumHeads)
        weigh_heads<S, Code, S::kSumHeads>(of, h);
    for (; h < of.heads; ++h) weigh_heads<S, Code, 1>(of, h);
}

// The scales of the values go into the weights, some heads at a time.
template <class S, class Code>
void weigh_values(const ValueSum& of) {
    const KeyTile& values = of.values;
    if (!values.scaled) return weigh_codes<S, Code>(of);
    float weights[S::kSumHeads * kTileKeys];
    for (std::size_t h = 0; h < of.heads; h += S::kSumHeads) {
        const std::size_t n = of.heads - h < S::kSumHeads ? of.heads - h : S::kSumHeads;
        for (std::size_t i = 0; i < n; ++i)
            for_each_vector<S>(values.n, [&](std::size_t j, auto... count) {
                const auto weight = S::load(of.weights + (h + i) * kTileKeys + j, count...);
                S::store(weights + i * kTileKeys + j,
                         S::mul(weight, S::load(values.scale + j, count...)), count...);
            });
        weigh_codes<S, Code>({.weights = weights,
                              .keep = of.keep + h,
                              .heads = n,
                              .values = values,
                              .out = of.out + h * values.dim});
    }
}

}  // namespace
}  // namespace kv::cpu
