#pragma once
// A GPU that is not there: the memory of this machine, and kernels over emulated grids. Fresh
// memory is NaN. For tests; slow, and stricter than a card. `order`: how blocks and threads come,
// which may change no bit.

#include "cuda/device/gpu.hpp"
#include "cuda/grid/emulated_block.hpp"

namespace kv::gpu {

struct EmulatedLimits {
    u64 memory_bytes = u64{1} << 30;
    u32 multiprocessors = 4, shared_bytes = 96 * 1024;
};

std::unique_ptr<Gpu> make_emulated_gpu(GridOrder order = GridOrder::Upwards,
                                       const EmulatedLimits& limits = {});

}  // namespace kv::gpu
