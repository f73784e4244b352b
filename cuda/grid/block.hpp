#pragma once
// What a kernel's body sees of the block of threads that runs it. A body is a function template of
// its block, so the same lines run on a card (DeviceBlock below) and on the CPU over an emulated
// grid (emulated_block.hpp). It is written in phases:
//
//   block.each(f)         f(thread) for every thread of the block; the order is nobody's business
//   block.sync()          the barrier: what was put into shared memory before may be read behind it
//   block.per_thread(x)   a value that each thread keeps for itself from one phase to the next
//   block.sum_lanes(x, w), max_lanes    x of each thread becomes that of its `w` neighbours
//   block.floats(n), words(n), bytes(n) shared memory
//   block.copy_async, commit_copies, wait_copies<N>   copies that go on while others compute
//   block.comes_last(counter, n)  whether the other n - 1 blocks have come here before
//
// What stands outside of each() is the same in all threads of a block. Includes no CUDA header, so
// that host code may name the type.

#include <cstddef>
#include <cstring>

#include "cuda/grid/view.hpp"

namespace kv::gpu {

inline constexpr u32 kWarp = 32;
inline constexpr u32 kPiece = 16;  // bytes of the widest load, and of an asynchronous copy

template <class T>
struct OneThread {  // the only thread that this code runs in
    T value;
    KV_HD T& operator[](u32) { return value; }
};

struct SharedBytesOfDevice {
    std::byte* data;
    KV_HD const std::byte* read(u32 first, u32) const { return data + first; }
};

#if defined(__CUDACC__)

struct DeviceBlock {
    using Floats = float*;
    using Words = u32*;
    using Bytes = SharedBytesOfDevice;
    template <class T>
    using PerThread = OneThread<T>;

    u32 used = 0;  // bytes of shared memory that are given out

#if defined(__CUDA_ARCH__)
    KV_HD u64 index() const {
        return blockIdx.x;
    }
    KV_HD u32 size() const {
        return blockDim.x;
    }
    template <class F>
    KV_HD void each(const F& f) {
        f(threadIdx.x);
    }
    KV_HD void sync() {
        __syncthreads();
    }

    KV_HD void sum_lanes(OneThread<float>& x, u32 width) {
        sum(x.value, width);
    }
    template <u32 kN>
    KV_HD void sum_lanes(OneThread<Array<float, kN>>& x, u32 width) {
#pragma unroll
        for (u32 i = 0; i < kN; ++i) sum(x.value[i], width);
    }
    KV_HD void max_lanes(OneThread<float>& x, u32 width) {
        for (u32 other = width / 2; other > 0; other /= 2)
            x.value = fmaxf(x.value, __shfl_xor_sync(0xFFFFFFFF, x.value, other));
    }

    // 16 bytes on both sides. Cards before compute capability 8.0 copy at once.
    KV_HD void copy_async(SharedBytesOfDevice to, u32 at, const std::byte* from, u32) {
#if __CUDA_ARCH__ >= 800
        const auto address = static_cast<u32>(__cvta_generic_to_shared(to.data + at));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
                     "l"(__cvta_generic_to_global(from))
                     : "memory");
#else
        *reinterpret_cast<uint4*>(to.data + at) = *reinterpret_cast<const uint4*>(from);
#endif
    }
    KV_HD void commit_copies() {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    }
    // All but the newest kLeft groups have arrived, for the thread that asked for them.
    template <u32 kLeft>
    KV_HD void wait_copies() {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
#endif
    }
    // What all threads of the others wrote is read behind it. The fences belong to the thread that
    // counts, between the barriers: one that is passed before the barrier says nothing of what
    // other threads wrote. No shared memory, of which a launch may have asked for all there is.
    KV_HD bool comes_last(u32& counter, u32 n) {
        bool last = false;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            last = atomicAdd(&counter, 1) + 1 == n;
            __threadfence();
        }
        return __syncthreads_or(last) != 0;
    }

private:
    KV_HD static void sum(float& x, u32 width) {
        for (u32 other = width / 2; other > 0; other /= 2)
            x += __shfl_xor_sync(0xFFFFFFFF, x, other);
    }
    KV_HD std::byte* take(u32 n) {
        extern __shared__ uint4 shared[];
        std::byte* at = reinterpret_cast<std::byte*>(shared) + used;
        used += static_cast<u32>(ceil_of(n, kPiece) * kPiece);
        return at;
    }

#else  // the host side of nvcc reads the bodies as well, but nobody calls them there
    KV_HD u64 index() const {
        return 0;
    }
    KV_HD u32 size() const {
        return 0;
    }
    template <class F>
    KV_HD void each(const F&) {}
    KV_HD void sync() {}
    template <class T>
    KV_HD void sum_lanes(OneThread<T>&, u32) {}
    KV_HD void max_lanes(OneThread<float>&, u32) {}
    KV_HD void copy_async(SharedBytesOfDevice, u32, const std::byte*, u32) {}
    KV_HD void commit_copies() {}
    template <u32 kLeft>
    KV_HD void wait_copies() {}
    KV_HD bool comes_last(u32&, u32) {
        return false;
    }

private:
    KV_HD std::byte* take(u32) {
        return nullptr;
    }
#endif

public:
    template <class T>
    KV_HD OneThread<T> per_thread(T first) {
        return {first};
    }
    KV_HD float* floats(u32 n) {
        return reinterpret_cast<float*>(take(n * 4));
    }
    KV_HD u32* words(u32 n) {
        return reinterpret_cast<u32*>(take(n * 4));
    }
    KV_HD SharedBytesOfDevice bytes(u32 n) {
        return {take(n)};
    }
};

#endif

// What floats(n) and words(n) take, for the sum that a launch must ask for.
KV_HD constexpr u32 shared_bytes(u32 n) {
    return static_cast<u32>(ceil_of(u64{n} * 4, kPiece) * kPiece);
}

// The sum over all threads of a block, in every thread. `partial`: a float for each warp, shared.
template <class Block, class PerThread, class Shared>
KV_HD float sum_of_block(Block& block, PerThread& x, Shared& partial) {
    block.sum_lanes(x, kWarp);
    block.each([&](u32 t) {
        if (t % kWarp == 0) partial[t / kWarp] = x[t];
    });
    block.sync();
    float sum = 0;
    for (u32 w = 0; w < block.size() / kWarp; ++w) sum += partial[w];
    return sum;
}

}  // namespace kv::gpu
