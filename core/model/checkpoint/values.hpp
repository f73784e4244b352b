#pragma once
// The numbers of a tensor, from the type of the file into the storage of the program. Widening is
// exact; narrowing to bf16 rounds to nearest, ties to even. Internal to loading.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/model/safetensors/header.hpp"

namespace kv {

struct BadValue {
    std::size_t index;
    const char* what;  // "is not a number", to stand after its place
};

// Writes all n; the answer is the first that is not finite, in the file or after rounding.
std::optional<BadValue> convert_values(TensorType from, const std::byte* in, std::size_t n,
                                       float* out);
std::optional<BadValue> convert_values(TensorType from, const std::byte* in, std::size_t n,
                                       std::uint16_t* bf16_out);

}  // namespace kv
