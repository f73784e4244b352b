#pragma once
// What arrives: requests as two lengths and a time. The simulator knows how long an answer will be,
// which a server does not; an allocator may only look where its rule allows it.

#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

constexpr u64 kNsPerSecond = 1'000'000'000;

struct SimRequest {
    u64 arrival_ns = 0;        // orders the requests and does nothing else
    std::uint32_t prompt = 1;  // tokens, at least 1
    std::uint32_t output = 1;  // tokens, at least 1

    u64 total() const { return u64{prompt} + output; }
};

using Workload = std::vector<SimRequest>;

}  // namespace kv
