#pragma once
// The factors of the cache's size, in the order in which the equation shows them. Apart from the
// rest so that plans which name a factor need no imgui.h.

#include <cstdint>

namespace kv {

enum class BillFactor : std::uint8_t {
    Sides,
    Layers,
    KvHeads,
    HeadDim,
    ValueBytes,
    Tokens,
    Requests
};

}  // namespace kv
