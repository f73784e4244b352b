// The path of processors that multiply pairs of bf16 and add them in float (vdpbf16ps): products
// with bf16 weights read their activations rounded to bf16 too, and denormals count as 0. All else
// is the AVX-512 path.

#include "core/engine/cpu/kernels/kernels.hpp"

#if defined(__AVX512BF16__) && defined(__AVX512F__) && defined(__AVX512BW__) && \
    defined(__AVX512VL__)

#include "core/engine/cpu/kernels/pack_bf16.hpp"

namespace kv::cpu {
namespace {

struct PairsOfBf16 {
    using Weight = Bf16;
    using X = Bf16;
    using V = __m512;
    static constexpr std::size_t kStep = cpu::kStep;
    static __m512i weight(const Bf16* p) { return _mm512_loadu_si512(p); }
    static __m512i weight(const Bf16* p, std::size_t n) {
        return _mm512_maskz_loadu_epi16(static_cast<__mmask32>((1u << n) - 1), p);
    }
    static __m512i x(const Bf16* p) { return weight(p); }
    static __m512i x(const Bf16* p, std::size_t n) { return weight(p, n); }
    static V add_product(V sum, __m512i w, __m512i x) {
        return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(w), reinterpret_cast<__m512bh>(x));
    }
    static V lanes(const Bf16* p) { return _mm512_castsi512_ps(weight(p)); }
    static V lanes(const Bf16* p, std::size_t n) { return _mm512_castsi512_ps(weight(p, n)); }
    static V add_lanes(V sum, V w, V x) {
        return add_product(sum, _mm512_castps_si512(w), _mm512_castps_si512(x));
    }
};

void pack(const float* x, const Packed& to, std::size_t row) {
    pack_in_groups(x, to, row, 1);
}

CpuKernels kernels(const CpuKernels& base) {
    CpuKernels all = base;
    all.multiply_bf16 = multiply<Avx512, PairsOfBf16>;
    all.pack = pack;
    all.transposes_packed = true;
    return all;
}

}  // namespace

const CpuKernels* avx512_bf16_kernels() {
    static const CpuKernels kKernels = kernels(*avx512_kernels());
    return &kKernels;
}

}  // namespace kv::cpu

#else

const kv::cpu::CpuKernels* kv::cpu::avx512_bf16_kernels() {
    return nullptr;
}

#endif
