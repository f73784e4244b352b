#pragma once
// The kernels, written once over a vector type S. Only the files of the paths include this, each
// with compiler options of its own; all lies in an unnamed namespace, so every function made from
// these templates belongs to one of those files alone, and the linker cannot put code for a newer
// processor in the place of another's. For the same reason nothing here calls an inline function of
// another header.
//
// S has
//   V, kWidth            a vector of so many float lanes
//   zero, set1           all lanes 0, or one number
//   load, store          load of float and of each code, store of float, Bf16 and Fp16; the same
//                        with a count for the first lanes only (others are 0)
//   add, mul, div, fma   fma(a, b, c) = a b + c
//   max, min             answer the second operand when either is NaN
//   first_of(v, other, n) the first n lanes of `v`, the others of `other`
//   exponent(v)          2 to the power of the integer that `v` holds by kMagic
//   total, largest       of the lanes
//   sums(v)              the total of each of kWidth vectors, by a balanced tree of additions
//   kTree, kTreeDepth    the order of lanes in that tree, and how high it is
//   transpose(v)         transposes a square of kWidth vectors
// and says how work is cut to its kRegisters:
//   kTileX                        rows of activations in a tile of a product of few, at most
//   kPanelVectors x kPanelX       vectors of sums in a product of many
//   kSumHeads x kSumColumns       of a sum of values
//   kTransposedQueries            of two vectors of scores each

#include <cstddef>

#include "core/engine/cpu/kernels/simd_panels.hpp"
#include "core/engine/cpu/kernels/simd_transposed.hpp"

namespace kv::cpu {
namespace {

// Runs f(first column, count...) over n columns; the last, shorter step gets a count.
template <class S, class F>
inline __attribute__((always_inline)) void steps(std::size_t n, F f) {
    std::size_t c = 0;
    for (; c + S::kWidth <= n; c += S::kWidth) f(c);
    if (c < n) f(c, n - c);
}

// exp(x) = 2^n exp(r) with n = round(x / ln 2) and |r| <= ln 2 / 2; the polynomial for exp(r) is
// that of Cephes, off by one unit in the last place. Below -87 the result would be denormal. n ln 2
// is taken off in two parts, 0.693359375 - 2.1219444e-4, so that r loses no bits.
template <class S>
typename S::V exponential(typename S::V x) {
    using V = typename S::V;
    const V in = S::min(S::set1(88.0f), S::max(S::set1(-87.0f), x));
    const V shifted = S::fma(in, S::set1(1.44269504f), S::set1(S::kMagic));
    const V n = S::add(shifted, S::set1(-S::kMagic));
    V r = S::fma(n, S::set1(-0.693359375f), in);
    r = S::fma(n, S::set1(2.12194440e-4f), r);
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
    steps<S>(n, [&](std::size_t c, auto... count) {
        most = S::max(most, S::first_of(S::load(values + c, count...), most, count...));
    });
    const float max = S::largest(most);
    auto sum = S::zero();
    steps<S>(n, [&](std::size_t c, auto... count) {
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

// out = out x keep + sum over j of weights[j] x value j, for H heads and C vectors of columns: each
// value is fetched once for all of these heads.
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
            steps<S>(values.n, [&](std::size_t j, auto... count) {
                const auto weight = S::load(of.weights + (h + i) * kTileKeys + j, count...);
                S::store(weights + i * kTileKeys + j,
                         S::mul(weight, S::load(values.scale + j, count...)), count...);
            });
        weigh_codes<S, Code>({weights, of.keep + h, n, values, of.out + h * values.dim});
    }
}

template <class S>
void rms_norm(const float* x, const float* weight, std::size_t n, float eps, float* y) {
    typename S::V sum = S::zero();
    steps<S>(n, [&](std::size_t c, auto... count) {
        const auto v = S::load(x + c, count...);
        sum = S::fma(v, v, sum);
    });
    const float scale = 1.0f / __builtin_sqrtf(S::total(sum) / static_cast<float>(n) + eps);
    steps<S>(n, [&](std::size_t c, auto... count) {
        const auto v = S::mul(S::load(x + c, count...), S::set1(scale));
        S::store(y + c, S::mul(v, S::load(weight + c, count...)), count...);
    });
}

template <class S>
void rotate(float* head, const float* cosine, const float* sine, std::size_t half) {
    steps<S>(half, [&](std::size_t c, auto... count) {
        const auto cos = S::load(cosine + c, count...), sin = S::load(sine + c, count...);
        const auto a = S::load(head + c, count...), b = S::load(head + half + c, count...);
        const auto minus_b = S::mul(b, S::set1(-1.0f));
        S::store(head + c, S::fma(minus_b, sin, S::mul(a, cos)), count...);
        S::store(head + half + c, S::fma(a, sin, S::mul(b, cos)), count...);
    });
}

template <class S>
void add(const float* more, std::size_t n, float* y) {
    steps<S>(n, [&](std::size_t c, auto... count) {
        S::store(y + c, S::add(S::load(y + c, count...), S::load(more + c, count...)), count...);
    });
}

template <class S>
void divide(float by, std::size_t n, float* values) {
    steps<S>(n, [&](std::size_t c, auto... count) {
        S::store(values + c, S::div(S::load(values + c, count...), S::set1(by)), count...);
    });
}

template <class S>
void gate(const float* gates, std::size_t n, float* up) {
    steps<S>(n, [&](std::size_t c, auto... count) {
        const auto g = S::load(gates + c, count...);
        const auto e = exponential<S>(S::mul(g, S::set1(-1.0f)));
        const auto open = S::div(g, S::add(S::set1(1.0f), e));
        S::store(up + c, S::mul(S::load(up + c, count...), open), count...);
    });
}

template <class S, class Code>
void encode(const float* values, std::size_t n, std::byte* out) {
    Code* codes = reinterpret_cast<Code*>(out);
    steps<S>(n, [&](std::size_t c, auto... count) {
        S::store(codes + c, S::load(values + c, count...), count...);
    });
}

template <class S, class Code>
void decode(const std::byte* bytes, std::size_t n, float* out) {
    const Code* codes = reinterpret_cast<const Code*>(bytes);
    steps<S>(n, [&](std::size_t c, auto... count) {
        S::store(out + c, S::load(column(codes, c), count...), count...);
    });
}

template <class S>
void read_scales(std::size_t offset, KeyTile& tile) {
    Fp16 codes[kTileKeys];
    for (std::size_t j = 0; j < tile.n; ++j)
        __builtin_memcpy(&codes[j], tile.row[j] + offset, sizeof(Fp16));
    steps<S>(tile.n, [&](std::size_t j, auto... count) {
        S::store(tile.scale + j, S::load(codes + j, count...), count...);
    });
    tile.scaled = true;
}

template <class S>
constexpr CpuKernels kernels_of() {
    return {.multiply_f32 = multiply<S, Widened<S, float>>,
            .multiply_bf16 = multiply<S, Widened<S, Bf16>>,
            .pack = nullptr,
            .transpose_rows = transpose_rows<S>,
            .transposes_packed = false,
            .rms_norm = rms_norm<S>,
            .rotate = rotate<S>,
            .add = add<S>,
            .gate = gate<S>,
            .encode = {encode<S, float>, encode<S, Bf16>, encode<S, Fp16>},
            .decode = {decode<S, float>, decode<S, Bf16>, decode<S, Fp16>, decode<S, Fp8E4m3>,
                       decode<S, Fp8E5m2>, decode<S, Int8>, decode<S, Int4>},
            .read_scales = read_scales<S>,
            .scores = {scores<S, float>, scores<S, Bf16>, scores<S, Fp16>, scores<S, Fp8E4m3>,
                       scores<S, Fp8E5m2>, scores<S, Int8>, scores<S, Int4>},
            .transpose_keys = {transpose_keys<S, float>, transpose_keys<S, Bf16>,
                               transpose_keys<S, Fp16>, transpose_keys<S, Fp8E4m3>,
                               transpose_keys<S, Fp8E5m2>, transpose_keys<S, Int8>,
                               transpose_keys<S, Int4>},
            .scores_of_transposed = scores_of_transposed<S>,
            .softmax_step = softmax_step<S>,
            .weigh_values = {weigh_values<S, float>, weigh_values<S, Bf16>, weigh_values<S, Fp16>,
                             weigh_values<S, Fp8E4m3>, weigh_values<S, Fp8E5m2>,
                             weigh_values<S, Int8>, weigh_values<S, Int4>},
            .divide = divide<S>};
}

}  // namespace
}  // namespace kv::cpu
