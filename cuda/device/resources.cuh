#pragma once
// What must be given back to CUDA, each with one owner: device memory, a stream, an event; and how
// a kernel with a plain function is launched (twins; the backend's go through launch.cuh). No
// default stream, no hidden synchronisation. Only .cu files include this.

#include <cstddef>
#include <utility>

#include "cuda/device/check.cuh"
#include "cuda/grid/grid.hpp"

namespace kv {

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(handle_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    cudaStream_t get() const { return handle_; }

private:
    cudaStream_t handle_ = nullptr;
};

class StreamEvent {
public:
    StreamEvent() { check(cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming)); }
    ~StreamEvent() { cudaEventDestroy(handle_); }
    StreamEvent(const StreamEvent&) = delete;
    StreamEvent& operator=(const StreamEvent&) = delete;

    void record(const Stream& stream, Where where = here()) {
        check(cudaEventRecord(handle_, stream.get()), where);
    }
    void wait(Where where = here()) const { check(cudaEventSynchronize(handle_), where); }
    cudaEvent_t get() const { return handle_; }

private:
    cudaEvent_t handle_ = nullptr;
};

// `size` values of T in device memory, not initialised. Copies are ordered by the stream; the host
// side must stay alive until an event recorded after them has passed.
template <class T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t size, Where where = here()) : size_(size) {
        KV_ASSERT(size <= static_cast<std::size_t>(-1) / sizeof(T));
        check(cudaMalloc(&data_, size * sizeof(T)), where);
    }
    ~DeviceBuffer() { cudaFree(data_); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    T* data() const { return data_; }
    std::size_t size() const { return size_; }

    void upload(const T* from, const Stream& stream, Where where = here()) {
        check(cudaMemcpyAsync(data_, from, size_ * sizeof(T), cudaMemcpyHostToDevice, stream.get()),
              where);
    }
    void download(T* to, const Stream& stream, Where where = here()) const {
        check(cudaMemcpyAsync(to, data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, stream.get()),
              where);
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Debug builds wait for the kernel, so that a fault is reported at the launch that caused it.
template <class Params>
void launch(void (*kernel)(Params), Grid grid, const Params& params, const Stream& stream,
            Where where = here()) {
    KV_ASSERT(grid.n_blocks >= 1 && grid.n_blocks <= 0x7FFFFFFF);
    KV_ASSERT(grid.n_threads >= 1 && grid.n_threads <= 1024);
    kernel<<<grid.n_blocks, grid.n_threads, 0, stream.get()>>>(params);
    check(cudaGetLastError(), where);
#ifndef NDEBUG
    check(cudaStreamSynchronize(stream.get()), where);
#endif
}

}  // namespace kv
