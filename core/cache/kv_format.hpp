#pragma once
// How one vector of K or V becomes bytes and back, for the formats that round each element by
// itself. F64 is no codec of the program: the float64 truth that tests compare with stores its
// vectors unrounded.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/cache/kv_layout.hpp"

namespace kv {

enum class KvFormat : std::uint8_t { F32, Bf16, Fp16, F64 };

std::string_view name_of(KvFormat format);
KvVector vector_of(KvFormat format, std::uint32_t dim);

template <class Real>
void encode_vector(KvFormat format, const Real* values, std::uint32_t dim, std::byte* out);
template <class Real>
void decode_vector(KvFormat format, const std::byte* bytes, std::uint32_t dim, Real* out);

}  // namespace kv
