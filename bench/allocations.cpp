#include "bench/allocations.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <new>

namespace kv::bench {
namespace {

thread_local std::uint64_t allocations_so_far = 0;

}  // namespace

std::uint64_t allocations() {
    return allocations_so_far;
}

double allocated_mib() {
    const struct mallinfo2 all = ::mallinfo2();
    return static_cast<double>(all.uordblks + all.hblkhd) / 1048576;
}

double resident_mib() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0, resident = 0;
    file >> all >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576;
}

}  // namespace kv::bench

// The array forms and those that do not throw end here, too. Over-aligned memory is not counted.
void* operator new(std::size_t size) {
    ++kv::bench::allocations_so_far;
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
