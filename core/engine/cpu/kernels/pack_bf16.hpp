#pragma once
// Activations rounded to bf16, in the order in which products read them, for the paths that have an
// instruction for it. It lies in an unnamed namespace, as vector16.hpp does. Denormals become 0, as
// the products would read them anyway.

#include "core/engine/cpu/kernels/vector16.hpp"

namespace kv::cpu {
namespace {

constexpr std::size_t kStep = 32;  // columns

// Groups of `rows` rows follow each other; within one, step after step of its rows. Zeros stand for
// the columns that fill no step.
inline void pack_in_groups(const float* x, const Packed& to, std::size_t row, std::size_t rows) {
    const std::size_t steps = (to.columns + kStep - 1) / kStep;
    std::uint16_t* code = to.codes + (row / rows * steps * rows + row % rows) * kStep;
    const auto round = [&](__m512 low, __m512 high) {
        const __m512bh pair = _mm512_cvtne2ps_pbh(high, low);
        _mm512_store_si512(code, reinterpret_cast<const __m512i&>(pair));
        code += rows * kStep;
    };
    std::size_t c = 0;
    for (; c + kStep <= to.columns; c += kStep)
        round(Avx512::load(x + c), Avx512::load(x + c + Avx512::kWidth));
    if (c == to.columns) return;
    const std::size_t left = to.columns - c, low = left < Avx512::kWidth ? left : Avx512::kWidth;
    round(low < Avx512::kWidth ? Avx512::load(x + c, low) : Avx512::load(x + c),
          left > low ? Avx512::load(x + c + low, left - low) : Avx512::zero());
}

}  // namespace
}  // namespace kv::cpu
