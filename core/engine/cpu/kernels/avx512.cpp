// The path of processors with AVX-512 (F, BW, DQ, VL): sixteen floats at a time.

#include "core/engine/cpu/kernels/kernels.hpp"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)

#include "core/engine/cpu/kernels/vector16.hpp"

namespace kv::cpu {

const CpuKernels* avx512_kernels() {
    static constexpr CpuKernels kKernels = kernels_of<Avx512>();
    return &kKernels;
}

}  // namespace kv::cpu

#else

const kv::cpu::CpuKernels* kv::cpu::avx512_kernels() {
    return nullptr;
}

#endif
