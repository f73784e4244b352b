#pragma once
// Sixteen floats at a time, for the files of the AVX-512 and AMX paths (F, BW, DQ, VL) and no
// other: it lies in an unnamed namespace, so that each of them has its own.

#include <immintrin.h>

#include "core/engine/cpu/kernels/int4_halves.hpp"
#include "core/engine/cpu/kernels/row_kernels.hpp"

namespace kv::cpu {
namespace {

struct Avx512 {
    static constexpr std::size_t kWidth = 16, kRegisters = 32, kMostX = 8;
    static constexpr std::size_t kPanelVectors = 3, kPanelX = 8;
    static constexpr std::size_t kSumHeads = 4, kSumColumns = 4;
    static constexpr std::size_t kTransposedQueries = 8, kTreeDepth = 4;
    // The lanes in the order in which sums() adds them: neighbours here are added first.
    static constexpr unsigned char kTree[kWidth] = {0, 2, 1, 3, 8,  10, 9,  11,
                                                    4, 6, 5, 7, 12, 14, 13, 15};
    static constexpr float kRoundsToWhole = 12582912.0f;  // 1.5 x 2^23: its neighbours are integers
    using V = __m512;

    static __mmask16 first(std::size_t n) { return static_cast<__mmask16>((1u << n) - 1); }
    static V zero() { return _mm512_setzero_ps(); }
    static V set1(float x) { return _mm512_set1_ps(x); }
    static V add(V a, V b) { return _mm512_add_ps(a, b); }
    static V mul(V a, V b) { return _mm512_mul_ps(a, b); }
    static V div(V a, V b) { return _mm512_div_ps(a, b); }
    static V fma(V a, V b, V c) { return _mm512_fmadd_ps(a, b, c); }
    static V max(V a, V b) { return _mm512_max_ps(a, b); }
    static V min(V a, V b) { return _mm512_min_ps(a, b); }
    static V first_of(V v, V) { return v; }
    static V first_of(V v, V other, std::size_t n) {
        return _mm512_mask_mov_ps(other, first(n), v);
    }
    static float total(V v) { return _mm512_reduce_add_ps(v); }
    static float largest(V v) { return _mm512_reduce_max_ps(v); }
    // 0x3F800000 are the bits of 1.0f, to whose exponent the integer is added.
    static V exponent(V v) {
        const __m512i power = _mm512_slli_epi32(_mm512_castps_si512(v), 23);
        return _mm512_castsi512_ps(_mm512_add_epi32(power, _mm512_set1_epi32(0x3F800000)));
    }
    // Lane i becomes the sum of v[i]. fours() leaves four sums of a part of each of its four
    // vectors, one in each quarter of the register. Each line brings quarters of two results side
    // by side (0x44 the low ones, 0xEE the high ones; 0x88 the even ones, 0xDD the odd ones) and
    // adds them.
    static V sums(const V* v) {
        const V a = fours(v), b = fours(v + 4), c = fours(v + 8), d = fours(v + 12);
        const V ab = add(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xEE));
        const V cd = add(_mm512_shuffle_f32x4(c, d, 0x44), _mm512_shuffle_f32x4(c, d, 0xEE));
        return add(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xDD));
    }

    // Element (i, j) becomes (j, i).
    static inline __attribute__((always_inline)) void transpose(V* v) {
        V a[kWidth], b[kWidth];
        unrolled<kWidth / 2>([&](auto k) {
            constexpr std::size_t i = 2 * k;
            a[i] = _mm512_unpacklo_ps(v[i], v[i + 1]);
            a[i + 1] = _mm512_unpackhi_ps(v[i], v[i + 1]);
        });
        unrolled<kWidth / 2>([&](auto k) {
            constexpr std::size_t i = k / 2 * 4, j = k % 2;
            const __m512d low = _mm512_castps_pd(a[i + j]), high = _mm512_castps_pd(a[i + j + 2]);
            b[i + 2 * j] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, high));
            b[i + 2 * j + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, high));
        });
        unrolled<kWidth / 4>([&](auto i) {
            a[i] = _mm512_shuffle_f32x4(b[i], b[i + 4], 0x88);
            a[i + 4] = _mm512_shuffle_f32x4(b[i], b[i + 4], 0xDD);
            a[i + 8] = _mm512_shuffle_f32x4(b[i + 8], b[i + 12], 0x88);
            a[i + 12] = _mm512_shuffle_f32x4(b[i + 8], b[i + 12], 0xDD);
        });
        unrolled<kWidth / 2>([&](auto i) {
            v[i] = _mm512_shuffle_f32x4(a[i], a[i + 8], 0x88);
            v[i + 8] = _mm512_shuffle_f32x4(a[i], a[i + 8], 0xDD);
        });
    }

    static V load(const float* p) { return _mm512_loadu_ps(p); }
    static V load(const float* p, std::size_t n) { return _mm512_maskz_loadu_ps(first(n), p); }
    static V load(const Bf16* p) { return widened(p, _mm256_loadu_si256(vector(p))); }
    static V load(const Fp16* p) { return widened(p, _mm256_loadu_si256(vector(p))); }
    static V load(const Bf16* p, std::size_t n) {
        return widened(p, _mm256_maskz_loadu_epi16(first(n), p));
    }
    static V load(const Fp16* p, std::size_t n) {
        return widened(p, _mm256_maskz_loadu_epi16(first(n), p));
    }
    template <class Byte>
    static V load(const Byte* p) {
        return widened(p, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    }
    template <class Byte>
    static V load(const Byte* p, std::size_t n) {
        return widened(p, _mm_maskz_loadu_epi8(first(n), p));
    }
    static V load(const Int4* p) {
        return halves(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    }
    static V load(const Int4* p, std::size_t n) {
        return first_of(halves(_mm_maskz_loadu_epi8(first((n + 1) / 2), p)), zero(), n);
    }

    static void store(float* p, V v) { _mm512_storeu_ps(p, v); }
    static void store(float* p, V v, std::size_t n) { _mm512_mask_storeu_ps(p, first(n), v); }
    template <class Code>
    static void store(Code* p, V v) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), narrowed(p, v));
    }
    template <class Code>
    static void store(Code* p, V v, std::size_t n) {
        _mm256_mask_storeu_epi16(p, first(n), narrowed(p, v));
    }

private:
    static const __m256i* vector(const void* p) { return static_cast<const __m256i*>(p); }
    static V widened(const Bf16*, __m256i c) {
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(c), 16));
    }
    static V widened(const Fp16*, __m256i c) { return _mm512_cvtph_ps(c); }
    static V widened(const Int8*, __m128i c) { return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(c)); }
    static V halves(__m128i c) {
        return widened(static_cast<const Int8*>(nullptr), int4_halves(c));
    }
    // An fp8 e5m2 is the upper half of an fp16.
    static V widened(const Fp8E5m2*, __m128i c) {
        return _mm512_cvtph_ps(_mm256_slli_epi16(_mm256_cvtepu8_epi16(c), 8));
    }
    // An fp8 e4m3 is an fp16 whose exponent counts from 8 less; all ones are a NaN.
    static V widened(const Fp8E4m3*, __m128i c) {
        const __m256i wide = _mm256_cvtepi8_epi16(c);
        const __m256i sign = _mm256_and_si256(wide, _mm256_set1_epi16(-0x8000));
        const __m256i rest =
            _mm256_and_si256(_mm256_slli_epi16(wide, 7), _mm256_set1_epi16(0x3F80));
        const V v = mul(_mm512_cvtph_ps(_mm256_or_si256(sign, rest)), set1(256.0f));
        const __mmask16 nan = _mm256_cmpeq_epi16_mask(rest, _mm256_set1_epi16(0x3F80));
        return _mm512_mask_mov_ps(v, nan, set1(__builtin_nanf("")));
    }
    static __m256i narrowed(const Fp16*, V v) {
        return _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT);
    }
    // Rounds to nearest, ties to even, in integers; a NaN keeps its upper bits and becomes quiet.
    static __m256i narrowed(const Bf16*, V v) {
        const __m512i bits = _mm512_castps_si512(v);
        const __m512i high = _mm512_srli_epi32(bits, 16);
        const __m512i odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
        const __m512i half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF));
        const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(bits, half), 16);
        const __m512i quiet = _mm512_or_si512(high, _mm512_set1_epi32(0x40));
        const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
        return _mm512_cvtepi32_epi16(_mm512_mask_mov_epi32(rounded, nan, quiet));
    }

    // Adds lanes of four vectors: lane 4 i + k is the sum of lanes 4 i to 4 i + 3 of vector k.
    static V fours(const V* v) {
        const V ab = add(_mm512_unpacklo_ps(v[0], v[1]), _mm512_unpackhi_ps(v[0], v[1]));
        const V cd = add(_mm512_unpacklo_ps(v[2], v[3]), _mm512_unpackhi_ps(v[2], v[3]));
        const __m512d p = _mm512_castps_pd(ab), q = _mm512_castps_pd(cd);
        return add(_mm512_castpd_ps(_mm512_unpacklo_pd(p, q)),
                   _mm512_castpd_ps(_mm512_unpackhi_pd(p, q)));
    }
};

}  // namespace
}  // namespace kv::cpu
