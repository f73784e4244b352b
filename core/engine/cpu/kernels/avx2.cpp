// The path of processors with AVX2, FMA and F16C: eight floats at a time.

#include "core/engine/cpu/kernels/kernels.hpp"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include <immintrin.h>

#include <cstring>

#include "core/engine/cpu/kernels/int4_halves.hpp"
#include "core/engine/cpu/kernels/row_kernels.hpp"

namespace kv::cpu {
namespace {

struct Avx2 {
    static constexpr std::size_t kWidth = 8, kRegisters = 16, kMostX = 5;
    static constexpr std::size_t kPanelVectors = 3, kPanelX = 4;
    static constexpr std::size_t kSumHeads = 4, kSumColumns = 2;
    static constexpr std::size_t kTransposedQueries = 4, kTreeDepth = 3;
    static constexpr unsigned char kTree[kWidth] = {0, 1, 2, 3, 4, 5, 6, 7};
    static constexpr float kRoundsToWhole = 12582912.0f;  // 1.5 x 2^23: its neighbours are integers
    using V = __m256;

    static V zero() { return _mm256_setzero_ps(); }
    static V set1(float x) { return _mm256_set1_ps(x); }
    static V add(V a, V b) { return _mm256_add_ps(a, b); }
    static V mul(V a, V b) { return _mm256_mul_ps(a, b); }
    static V div(V a, V b) { return _mm256_div_ps(a, b); }
    static V fma(V a, V b, V c) { return _mm256_fmadd_ps(a, b, c); }
    static V max(V a, V b) { return _mm256_max_ps(a, b); }
    static V min(V a, V b) { return _mm256_min_ps(a, b); }
    static V first_of(V v, V) { return v; }
    static V first_of(V v, V other, std::size_t n) {
        return _mm256_blendv_ps(other, v, _mm256_castsi256_ps(first(n)));
    }
    static float total(V v) {
        const __m128 a = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 b = _mm_add_ps(a, _mm_movehl_ps(a, a));
        return _mm_cvtss_f32(_mm_add_ss(b, _mm_movehdup_ps(b)));
    }
    static float largest(V v) {
        const __m128 a = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 b = _mm_max_ps(a, _mm_movehl_ps(a, a));
        return _mm_cvtss_f32(_mm_max_ss(b, _mm_movehdup_ps(b)));
    }
    // 0x3F800000 are the bits of 1.0f, to whose exponent the integer is added.
    static V exponent(V v) {
        const __m256i power = _mm256_slli_epi32(_mm256_castps_si256(v), 23);
        return _mm256_castsi256_ps(_mm256_add_epi32(power, _mm256_set1_epi32(0x3F800000)));
    }
    static V sums(const V* v) {
        const V low = fours(v), high = fours(v + 4);
        return add(_mm256_permute2f128_ps(low, high, 0x20),
                   _mm256_permute2f128_ps(low, high, 0x31));
    }

    static void transpose(V* v) { transpose_in_memory<Avx2>(v); }

    static V load(const float* p) { return _mm256_loadu_ps(p); }
    static V load(const float* p, std::size_t n) { return _mm256_maskload_ps(p, first(n)); }
    static V load(const Bf16* p) { return widened(p, codes(p)); }
    static V load(const Fp16* p) { return widened(p, codes(p)); }
    static V load(const Bf16* p, std::size_t n) { return widened(p, codes(p, n)); }
    static V load(const Fp16* p, std::size_t n) { return widened(p, codes(p, n)); }

    template <class Byte>
    static V load(const Byte* p) {
        return widened(p, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    }
    template <class Byte>
    static V load(const Byte* p, std::size_t n) {
        Byte all[kWidth] = {};
        std::memcpy(all, p, n * sizeof(Byte));
        return load(all);
    }
    static V load(const Int4* p) {
        std::int32_t codes;
        std::memcpy(&codes, p, sizeof codes);
        return halves(_mm_cvtsi32_si128(codes));
    }
    static V load(const Int4* p, std::size_t n) {
        Int4 all[kWidth / 2] = {};
        std::memcpy(all, p, bytes_of(p, n));
        return first_of(load(all), zero(), n);
    }

    static void store(float* p, V v) { _mm256_storeu_ps(p, v); }
    static void store(float* p, V v, std::size_t n) { _mm256_maskstore_ps(p, first(n), v); }
    template <class Code>
    static void store(Code* p, V v) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p), narrowed(p, v));
    }
    template <class Code>
    static void store(Code* p, V v, std::size_t n) {
        Code all[kWidth];
        store(all, v);
        std::memcpy(p, all, n * sizeof(Code));
    }

private:
    static __m256i first(std::size_t n) {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)),
                                  _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
    // Two lanes of 128 bits, each with four partial sums.
    static V fours(const V* v) {
        return _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
    }
    static __m128i codes(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
    static __m128i codes(const void* p, std::size_t n) {
        std::uint16_t all[kWidth] = {};
        std::memcpy(all, p, n * sizeof(std::uint16_t));
        return codes(all);
    }
    static V widened(const Bf16*, __m128i c) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(c), 16));
    }
    static V widened(const Fp16*, __m128i c) { return _mm256_cvtph_ps(c); }
    static V widened(const Int8*, __m128i c) { return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(c)); }
    static V halves(__m128i c) {
        return widened(static_cast<const Int8*>(nullptr), int4_halves(c));
    }
    // The upper half of an fp16.
    static V widened(const Fp8E5m2*, __m128i c) {
        return _mm256_cvtph_ps(_mm_slli_epi16(_mm_cvtepu8_epi16(c), 8));
    }
    // An fp16 whose exponent counts from 8 less; where that has its largest numbers, NaN.
    static V widened(const Fp8E4m3*, __m128i c) {
        const __m128i wide = _mm_cvtepi8_epi16(c), most = _mm_set1_epi16(0x3F80);
        const __m128i sign = _mm_and_si128(wide, _mm_set1_epi16(-0x8000));
        const __m128i rest = _mm_and_si128(_mm_slli_epi16(wide, 7), most);
        const V v = mul(_mm256_cvtph_ps(_mm_or_si128(sign, rest)), set1(256.0f));
        const __m256i nan = _mm256_cvtepi16_epi32(_mm_cmpeq_epi16(rest, most));
        return _mm256_blendv_ps(v, set1(__builtin_nanf("")), _mm256_castsi256_ps(nan));
    }
    static __m128i narrowed(const Fp16*, V v) {
        return _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT);
    }
    // Rounds to nearest, ties to even, in integers; a NaN keeps its upper bits and becomes quiet.
    static __m128i narrowed(const Bf16*, V v) {
        const __m256i bits = _mm256_castps_si256(v), one = _mm256_set1_epi32(1);
        const __m256i high = _mm256_srli_epi32(bits, 16), odd = _mm256_and_si256(high, one);
        const __m256i half = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF));
        const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, half), 16);
        const __m256i quiet = _mm256_or_si256(high, _mm256_set1_epi32(0x40));
        const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
        const __m256i all = _mm256_blendv_epi8(rounded, quiet, nan);
        return _mm_packus_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    }
};

}  // namespace

const CpuKernels* avx2_kernels() {
    static constexpr CpuKernels kKernels = kernels_of<Avx2>();
    return &kKernels;
}

}  // namespace kv::cpu

#else

const kv::cpu::CpuKernels* kv::cpu::avx2_kernels() {
    return nullptr;
}

#endif
