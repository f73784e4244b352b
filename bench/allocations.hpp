#pragma once
// What this program has of memory.

#include <cstdint>

namespace kv::bench {

// How often it asked for some with `new`, on this thread, since it began.
std::uint64_t allocations();
double allocated_mib();  // what it asked for and has not given back
double resident_mib();   // what of all that is its own lies in memory

}  // namespace kv::bench
