#pragma once
// How often this program asked for memory with `new`, on this thread, since it began.

#include <cstdint>

namespace kv::bench {

std::uint64_t allocations();

}  // namespace kv::bench
