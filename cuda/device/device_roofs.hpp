#pragma once
// What a card can do at most, as measured on it: how fast it reads its memory, and how many float
// operations it does without tensor cores, as the kernels here do theirs. No CUDA type.

#include <cstdint>

namespace kv {

namespace gpu {
class Gpu;
}

struct DeviceRoofs {
    double bytes_per_second = 0, flops_per_second = 0;
};
struct DeviceRoofMeasure {
    std::uint64_t bytes = std::uint64_t{512} << 20;  // more than a second-level cache
    std::uint32_t n_rounds = 20'000, blocks_of_multiprocessor = 8, n_samples = 5;
};
DeviceRoofs measure_roofs(gpu::Gpu& gpu, const DeviceRoofMeasure& measure = {});

// The same roofs of a card by its number. Throws kv::Error where there is none.
DeviceRoofs measure_device_roofs(std::uint32_t device);

}  // namespace kv
