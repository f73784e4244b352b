#pragma once
// The kernels beside products and attention, row by row, over a vector type S (vector.hpp), and the
// table of all that are made of one S.

#include <cstddef>

#include "core/engine/cpu/kernels/panel_products.hpp"
#include "core/engine/cpu/kernels/transposed_scores.hpp"

namespace kv::cpu {
namespace {

template <class S>
void rms_norm(const float* x, const float* weight, std::size_t n, float eps, float* y) {
    typename S::V sum = S::zero();
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        const auto v = S::load(x + c, count...);
        sum = S::fma(v, v, sum);
    });
    const float scale = 1.0f / __builtin_sqrtf(S::total(sum) / static_cast<float>(n) + eps);
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        const auto v = S::mul(S::load(x + c, count...), S::set1(scale));
        S::store(y + c, S::mul(v, S::load(weight + c, count...)), count...);
    });
}

template <class S>
void rotate(float* head, const float* cosine, const float* sine, std::size_t half) {
    for_each_vector<S>(half, [&](std::size_t c, auto... count) {
        const auto cos = S::load(cosine + c, count...), sin = S::load(sine + c, count...);
        const auto a = S::load(head + c, count...), b = S::load(head + half + c, count...);
        const auto minus_b = S::mul(b, S::set1(-1.0f));
        S::store(head + c, S::fma(minus_b, sin, S::mul(a, cos)), count...);
        S::store(head + half + c, S::fma(a, sin, S::mul(b, cos)), count...);
    });
}

template <class S>
void add(const float* more, std::size_t n, float* y) {
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        S::store(y + c, S::add(S::load(y + c, count...), S::load(more + c, count...)), count...);
    });
}

template <class S>
void divide(float by, std::size_t n, float* values) {
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        S::store(values + c, S::div(S::load(values + c, count...), S::set1(by)), count...);
    });
}

template <class S>
void gate(const float* gates, std::size_t n, float* up) {
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        const auto g = S::load(gates + c, count...);
        const auto e = exponential<S>(S::mul(g, S::set1(-1.0f)));
        const auto open = S::div(g, S::add(S::set1(1.0f), e));
        S::store(up + c, S::mul(S::load(up + c, count...), open), count...);
    });
}

template <class S, class Code>
void encode(const float* values, std::size_t n, std::byte* out) {
    Code* codes = reinterpret_cast<Code*>(out);
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        S::store(codes + c, S::load(values + c, count...), count...);
    });
}

template <class S, class Code>
void decode(const std::byte* bytes, std::size_t n, float* out) {
    const Code* codes = reinterpret_cast<const Code*>(bytes);
    for_each_vector<S>(n, [&](std::size_t c, auto... count) {
        S::store(out + c, S::load(column(codes, c), count...), count...);
    });
}

template <class S>
void read_scales(std::size_t offset, KeyTile& tile) {
    Fp16 codes[kTileKeys];
    for (std::size_t j = 0; j < tile.n; ++j)
        __builtin_memcpy(&codes[j], tile.row[j] + offset, sizeof(Fp16));
    for_each_vector<S>(tile.n, [&](std::size_t j, auto... count) {
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
