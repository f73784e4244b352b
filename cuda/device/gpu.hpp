#pragma once
// What the backend needs of a GPU: memory, copies, kernels in order, recordings of them, and time.
// CudaGpu is one; EmulatedGpu has the memory of this machine and runs the same kernels on the CPU,
// so that all of the backend is tested without a card. One thread at a time; everything that is
// asked for happens in order. download(), release() and wait() wait, and upload() where more is on
// its way than 8 MiB; nothing else does. No CUDA type.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda/kernels/all_kernels.hpp"

namespace kv::gpu {

// Launches and marks that were recorded once and are started together.
class Recording {
public:
    virtual ~Recording() = default;
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

protected:
    Recording() = default;
};

class Gpu {
public:
    virtual ~Gpu() = default;
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    virtual std::string name() const = 0;
    virtual u32 multiprocessors() const = 0;
    virtual u32 most_shared_bytes() const = 0;  // that one block can have
    virtual u64 free_bytes() const = 0;

    // Not initialised, and begins at a multiple of 256. Throws kv::Error (World) with what was
    // wanted and what there is.
    virtual std::byte* allocate(u64 bytes) = 0;
    virtual void release(std::byte* memory) = 0;

    virtual void upload(std::byte* to, const void* from, u64 bytes) = 0;  // `from` is free at once
    virtual void fill(std::byte* to, int byte, u64 bytes) = 0;
    virtual void copy(std::byte* to, const std::byte* from, u64 bytes) = 0;
    virtual void download(void* to, const std::byte* from, u64 bytes) = 0;

    virtual void launch(const AnyKernel& kernel) = 0;
    virtual void wait() = 0;

    // Marks are numbered from 0; the time between two of them is known after a wait.
    virtual void mark(u32 number) = 0;
    virtual double us_between(u32 from, u32 to) = 0;

    // What is launched and marked between the two is not done but recorded.
    virtual void begin_recording() = 0;
    virtual std::unique_ptr<Recording> end_recording() = 0;
    virtual void replay(Recording& recording) = 0;

protected:
    Gpu() = default;
};

// `size` values of T in the memory of a GPU, with one owner.
template <class T>
class Memory {
public:
    Memory() = default;
    Memory(Gpu& gpu, u64 size) : gpu_(&gpu), data_(gpu.allocate(size * sizeof(T))), size_(size) {}
    ~Memory() {
        if (gpu_ != nullptr) gpu_->release(data_);
    }
    Memory(Memory&& other) noexcept { swap(other); }
    Memory& operator=(Memory&& other) noexcept {
        swap(other);
        return *this;
    }

    u64 size() const { return size_; }
    u64 bytes() const { return size_ * sizeof(T); }
    std::byte* raw() const { return data_; }
    View<T> view() const { return first(size_); }
    View<T> first(u64 n) const { return part(0, n); }
    View<T> part(u64 begin, u64 n) const {
        KV_ASSERT(begin <= size_ && n <= size_ - begin);
        return {reinterpret_cast<T*>(data_) + begin, n};
    }

private:
    void swap(Memory& other) {
        std::swap(gpu_, other.gpu_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }
    Gpu* gpu_ = nullptr;
    std::byte* data_ = nullptr;
    u64 size_ = 0;
};

// Values there, and back here. No values take no memory.
template <class T>
Memory<T> uploaded(Gpu& gpu, const std::vector<T>& values) {
    if (values.empty()) return {};
    Memory<T> memory(gpu, values.size());
    gpu.upload(memory.raw(), values.data(), memory.bytes());
    return memory;
}
template <class T>
std::vector<std::remove_const_t<T>> downloaded(Gpu& gpu, const View<T>& values) {
    std::vector<std::remove_const_t<T>> out(values.size);
    gpu.download(out.data(), reinterpret_cast<const std::byte*>(values.data),
                 out.size() * sizeof(T));
    return out;
}

}  // namespace kv::gpu
