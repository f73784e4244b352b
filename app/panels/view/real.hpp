#pragma once
// A count as the coordinate of a picture.

#include <cstdint>

namespace kv {

inline double real(std::uint64_t count) {
    return static_cast<double>(count);
}

}  // namespace kv
