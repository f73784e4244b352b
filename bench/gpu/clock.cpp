#include "bench/gpu/clock.hpp"

namespace kv::bench {
namespace {

constexpr std::size_t kCeilingSamples = 15;

}  // namespace

GpuClock::GpuClock(gpu::Gpu& gpu, std::uint64_t flush_bytes)
    : gpu_(gpu), flush_(gpu, flush_bytes) {}

Spread GpuClock::us_of(const std::function<void()>& work, std::size_t samples) {
    work();  // loads what has to be loaded
    gpu_.wait();
    gpu_.begin_recording();
    gpu_.mark(0);
    work();
    gpu_.mark(1);
    const auto recording = gpu_.end_recording();
    std::vector<double> us;
    for (std::size_t i = 0; i < samples; ++i) {
        gpu_.fill(flush_.raw(), static_cast<int>(i & 0xFF), flush_.bytes());
        gpu_.replay(*recording);
        gpu_.wait();
        us.push_back(gpu_.us_between(0, 1));
    }
    return spread_of(std::move(us));
}

// Half of the flushed memory onto the other half; both are larger than a second-level cache.
double GpuClock::copy_bytes_per_us() {
    const std::uint64_t half = flush_.bytes() / 2;
    std::vector<double> us;
    for (std::size_t i = 0; i < kCeilingSamples; ++i) {
        gpu_.mark(0);
        gpu_.copy(flush_.raw(), flush_.raw() + half, half);
        gpu_.mark(1);
        gpu_.wait();
        us.push_back(gpu_.us_between(0, 1));
    }
    return 2 * static_cast<double>(half) / spread_of(std::move(us)).median;
}

double GpuClock::read_bytes_per_us() {
    gpu::Memory<std::uint32_t> sums(gpu_, gpu_.multiprocessors() * 8);
    const auto us = us_of(
        [&] {
            gpu_.launch(gpu::ReadAll{flush_.view(), sums.view()});
        },
        kCeilingSamples);
    return static_cast<double>(flush_.bytes()) / us.median;
}

}  // namespace kv::bench
