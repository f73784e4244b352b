// Never linked, never run: compiled to PTX text only. Every index below is a constant, so the
// device compiler works out each element itself and stores a number. A test reads those numbers,
// which makes the device half of the twins visible on a machine without a GPU.

#include <utility>

#include "cuda/twins/twins.hpp"

namespace kv {

template <Twin kTwin, std::uint32_t... kIndex>
__device__ void store(std::uint64_t* out, std::integer_sequence<std::uint32_t, kIndex...>) {
    ((out[kIndex] = twin_value(kTwin, folded_index(kTwin, kIndex))), ...);
}

// The number of the twin is in the kernel's mangled name.
template <std::uint32_t kNumber>
__global__ void folded_twin(std::uint64_t* out) {
    store<kTwins[kNumber]>(out, std::make_integer_sequence<std::uint32_t, kFolded>());
}

template <std::uint32_t... kNumber>
auto all_kernels(std::integer_sequence<std::uint32_t, kNumber...>) {
    return (reinterpret_cast<std::uintptr_t>(folded_twin<kNumber>) + ...);
}

// Naming the kernels makes the compiler emit them.
std::uintptr_t folded_twins() {
    return all_kernels(std::make_integer_sequence<std::uint32_t, kTwinCount>());
}

}  // namespace kv
