#include "bench/allocations.hpp"

#include <cstdlib>
#include <new>

namespace kv::bench {
namespace {

thread_local std::uint64_t allocations_so_far = 0;

}  // namespace

std::uint64_t allocations() {
    return allocations_so_far;
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
