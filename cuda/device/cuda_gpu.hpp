#pragma once
// One card, as gpu.hpp wants it. No CUDA type.

#include "cuda/device/gpu.hpp"

namespace kv::gpu {

// Ask query_devices() first: throws kv::Error (World) where there is no such device, and Missing in
// a build without nvcc.
std::unique_ptr<Gpu> make_cuda_gpu(u32 device);

}  // namespace kv::gpu
