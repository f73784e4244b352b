#pragma once
// What this program has of memory.

#include <cstdint>

namespace kv::bench {

// How often it asked for some with `new`, on this thread, since it began.
std::uint64_t allocations();
double resident_mib();  // that is in use

}  // namespace kv::bench
