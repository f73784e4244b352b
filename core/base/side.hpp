#pragma once
// The two sides of a cache. Arithmetic on bytes, books, layouts and kernels all mean this one.

#include <cstdint>

namespace kv {

enum class Side : std::uint8_t { K, V };

}  // namespace kv
