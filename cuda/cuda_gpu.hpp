#pragma once
// One card, as gpu.hpp wants it. No CUDA type. A build without nvcc has none.

#include "cuda/gpu.hpp"

namespace kv::gpu {

// Throws kv::Error (Missing) where there is no such device; ask query_devices() first.
std::unique_ptr<Gpu> make_cuda_gpu(u32 device);

}  // namespace kv::gpu
