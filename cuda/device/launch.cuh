#pragma once
// How kernels are started: any of all_kernels.hpp, as it is, on a stream. Only .cu files include
// this.

#include "cuda/device/check.cuh"
#include "cuda/device/gpu.hpp"

namespace kv::gpu {

template <class Kernel>
__global__ void run_kernel(const __grid_constant__ Kernel kernel) {
    DeviceBlock block;
    kernel.run(block);
}

// Debug builds wait for the kernel, so that a fault is reported at the launch that caused it; a
// stream that is being recorded cannot be waited for.
template <class Kernel>
void launch(const Kernel& kernel, cudaStream_t stream, [[maybe_unused]] bool recording,
            Where where = here()) {
    const LaunchShape shape = kernel.shape();
    if (shape.n_blocks == 0) return;
    KV_ASSERT(shape.n_blocks <= 0x7FFFFFFF);
    KV_ASSERT(shape.n_threads % kWarp == 0 && shape.n_threads <= 1024);
    if (shape.shared_bytes > 48 * 1024)
        check(cudaFuncSetAttribute(run_kernel<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shape.shared_bytes)),
              where);
    run_kernel<Kernel>
        <<<static_cast<unsigned>(shape.n_blocks), shape.n_threads, shape.shared_bytes, stream>>>(
            kernel);
    check(cudaGetLastError(), where);
#ifndef NDEBUG
    if (!recording) check(cudaStreamSynchronize(stream), where);
#endif
}

// Each family of kernels is compiled in a file of its own: launch_*.cu.
void launch_decode(const AnyKernel& kernel, cudaStream_t stream, bool recording);
void launch_other_attention(const AnyKernel& kernel, cudaStream_t stream, bool recording);
void launch_rest(const AnyKernel& kernel, cudaStream_t stream, bool recording);

}  // namespace kv::gpu
