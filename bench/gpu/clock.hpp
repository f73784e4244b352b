#pragma once
// Times on a GPU: work as one recording between two marks, with a second-level cache that holds
// nothing of it; and the two ceilings of the same run, copying and reading.

#include <functional>

#include "bench/spread.hpp"
#include "cuda/device/gpu.hpp"

namespace kv::bench {

class GpuClock {
public:
    explicit GpuClock(gpu::Gpu& gpu, std::uint64_t flush_bytes = std::uint64_t{256} << 20);

    // Microseconds of what `work` launches.
    Spread us_of(const std::function<void()>& work, std::size_t samples);
    double copy_bytes_per_us();  // read and written, both counted
    double read_bytes_per_us();

private:
    gpu::Gpu& gpu_;
    gpu::Memory<std::byte> flush_;
};

}  // namespace kv::bench
