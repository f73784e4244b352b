#pragma once
// Bytes that hold two int4 each, as one signed byte for each. It lies in an unnamed namespace, as
// vector16.hpp does.

#include <immintrin.h>

namespace kv::cpu {
namespace {

inline __m128i int4_halves(__m128i codes) {
    const __m128i pairs = _mm_cvtepu8_epi16(codes);
    const __m128i each =
        _mm_and_si128(_mm_or_si128(pairs, _mm_slli_epi16(pairs, 4)), _mm_set1_epi8(15));
    return _mm_sub_epi8(each, _mm_set1_epi8(8));
}

}  // namespace
}  // namespace kv::cpu
