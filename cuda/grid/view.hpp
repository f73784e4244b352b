#pragma once
// What a kernel is given of memory: an address and how much lies behind it. On the CPU every access
// is held against the size; on the card it is a plain pointer.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/error.hpp"
#include "core/base/kv_hd.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv::gpu {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

// A KV_ASSERT on the CPU; nothing on the card, where nothing is checked.
KV_HD inline void check_on_host([[maybe_unused]] bool holds) {
#ifndef __CUDA_ARCH__
    KV_ASSERT(holds);
#endif
}

// The address of a load of so many bytes at once, which a card refuses anywhere else.
KV_HD inline const std::byte* aligned(const std::byte* at, [[maybe_unused]] u32 bytes) {
    check_on_host(reinterpret_cast<std::uintptr_t>(at) % bytes == 0);
    return at;
}

// A number at a multiple of its size, in one load: of a memcpy a card makes one for each byte.
template <class T>
KV_HD T load(const std::byte* at) {
#ifdef __CUDA_ARCH__
    return *reinterpret_cast<const T*>(at);
#else
    T value;
    memcpy(&value, aligned(at, sizeof value), sizeof value);
    return value;
#endif
}

template <class T>
struct View {
    T* data = nullptr;
    u64 size = 0;

    View() = default;
    KV_HD View(T* at, u64 n) : data(at), size(n) {}
    template <class Other>
    requires std::is_same_v<const Other, T> KV_HD View(const View<Other>& other)
        : data(other.data), size(other.size) {}

    KV_HD T& operator[](u64 i) const {
        check_on_host(i < size);
        return data[i];
    }
    // The address of `n` elements from `first` on.
    KV_HD T* range(u64 first, u64 n) const {
        check_on_host(first <= size && n <= size - first);
        return data + first;
    }
    KV_HD bool empty() const { return size == 0; }
};

// N values that a thread keeps in registers: on the card every index must be known to the compiler.
template <class T, u32 kN>
struct Array {
    T values[kN];
    KV_HD T& operator[](u32 i) { return values[i]; }
    KV_HD const T& operator[](u32 i) const { return values[i]; }
};

// How a kernel is started: one-dimensional, with so much shared memory.
struct LaunchShape {
    u64 n_blocks;
    u32 n_threads;
    u32 shared_bytes = 0;
};

KV_HD constexpr u64 ceil_of(u64 n, u64 by) {
    return (n + by - 1) / by;
}

}  // namespace kv::gpu
