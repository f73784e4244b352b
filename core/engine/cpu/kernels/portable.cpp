// The path of any processor: four floats at a time, in the compiler's own vectors, which become the
// unit that every machine of a kind has (SSE2, NEON, WebAssembly) or plain numbers.

#include <cstring>

#include "core/base/numbers/formats.hpp"
#include "core/engine/cpu/kernels/row_kernels.hpp"

namespace kv::cpu {
namespace {

struct Portable {
    static constexpr std::size_t kWidth = 4, kRegisters = 16, kMostX = 5;
    static constexpr std::size_t kPanelVectors = 2, kPanelX = 4;
    static constexpr std::size_t kSumHeads = 2, kSumColumns = 2;
    static constexpr std::size_t kTransposedQueries = 4, kTreeDepth = 2;
    static constexpr unsigned char kTree[kWidth] = {0, 2, 1, 3};
    static constexpr float kRoundsToWhole = 12582912.0f;  // 1.5 x 2^23: its neighbours are integers
    using V = float __attribute__((vector_size(16)));
    using Bits = std::uint32_t __attribute__((vector_size(16)));
    using Codes = std::uint16_t __attribute__((vector_size(8)));

    static V zero() { return V{}; }
    static V set1(float x) { return V{x, x, x, x}; }
    static V add(V a, V b) { return a + b; }
    static V mul(V a, V b) { return a * b; }
    static V div(V a, V b) { return a / b; }
    static V fma(V a, V b, V c) { return a * b + c; }
    static V max(V a, V b) { return a > b ? a : b; }
    static V min(V a, V b) { return a < b ? a : b; }
    static V first_of(V v, V) { return v; }
    static V first_of(V v, V other, std::size_t n) {
        for (std::size_t i = n; i < kWidth; ++i) v[i] = other[i];
        return v;
    }
    static float total(V v) { return (v[0] + v[2]) + (v[1] + v[3]); }
    static float largest(V v) {
        const float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
        return a > b ? a : b;
    }
    // 0x3F800000 are the bits of 1.0f, to whose exponent the integer is added.
    static V exponent(V v) { return floats((bits(v) << 23) + 0x3F800000u); }
    static V sums(const V* v) {
        const V low{v[0][0] + v[0][2], v[1][0] + v[1][2], v[2][0] + v[2][2], v[3][0] + v[3][2]};
        const V high{v[0][1] + v[0][3], v[1][1] + v[1][3], v[2][1] + v[2][3], v[3][1] + v[3][3]};
        return low + high;
    }

    static void transpose(V* v) { transpose_in_memory<Portable>(v); }

    static V load(const float* p) { return read<V>(p); }
    static V load(const Bf16* p) {
        return floats(__builtin_convertvector(read<Codes>(p), Bits) << 16);
    }
    template <class Byte>
    static V load(const Byte* p) {
        return V{value(p[0]), value(p[1]), value(p[2]), value(p[3])};
    }
    static V load(const Int4* p) { return V{low(p[0]), high(p[0]), low(p[1]), high(p[1])}; }
    template <class T>
    static V load(const T* p, std::size_t n) {
        T all[kWidth] = {};
        std::memcpy(all, p, bytes_of(p, n));
        return first_of(load(all), zero(), n);
    }

    static void store(float* p, V v) { std::memcpy(p, &v, sizeof v); }
    template <class Code>
    static void store(Code* p, V v) {
        store(p, v, kWidth);
    }
    template <class T>
    static void store(T* p, V v, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) put(p[i], v[i]);
    }

private:
    template <class T>
    static T read(const void* p) {
        T t;
        std::memcpy(&t, p, sizeof t);
        return t;
    }
    static Bits bits(V v) { return read<Bits>(&v); }
    static V floats(Bits b) { return read<V>(&b); }
    static float value(Fp16 x) { return fp16_to_float(x.code); }
    static float value(Fp8E4m3 x) { return fp8_e4m3_to_float(x.code); }
    static float value(Fp8E5m2 x) { return fp8_e5m2_to_float(x.code); }
    static float value(Int8 x) { return x.code; }
    static float low(Int4 x) { return static_cast<float>(x.codes & 15) - 8; }
    static float high(Int4 x) { return static_cast<float>(x.codes >> 4) - 8; }
    static void put(float& to, float x) { to = x; }
    static void put(Bf16& to, float x) { to.code = bf16_from_float(x); }
    static void put(Fp16& to, float x) { to.code = fp16_from_float(x); }
};

}  // namespace

const CpuKernels* portable_kernels() {
    static constexpr CpuKernels kKernels = kernels_of<Portable>();
    return &kKernels;
}

}  // namespace kv::cpu
