#include "cuda/device/device_roofs.hpp"

#include <algorithm>

#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/out_of_memory.hpp"

namespace kv {
namespace {

// The median time of a kernel that has been loaded before.
double seconds_of(gpu::Gpu& gpu, const gpu::AnyKernel& kernel, std::uint32_t n_samples) {
    gpu.launch(kernel);
    std::vector<double> us;
    for (std::uint32_t i = 0; i < std::max(1u, n_samples); ++i) {
        gpu.mark(0);
        gpu.launch(kernel);
        gpu.mark(1);
        gpu.wait();
        us.push_back(gpu.us_between(0, 1));
    }
    std::sort(us.begin(), us.end());
    return us[us.size() / 2] / 1e6;
}

}  // namespace

DeviceRoofs measure_roofs(gpu::Gpu& gpu, const DeviceRoofMeasure& measure) {
    const u64 blocks = u64{gpu.multiprocessors()} * std::max(1u, measure.blocks_of_multiprocessor);
    const u64 bytes =
        std::min<u64>(measure.bytes, gpu.free_bytes() / 2) / gpu::kPiece * gpu::kPiece;
    if (bytes < measure.bytes / 8)
        gpu::refuse_memory("The roofs of the card", measure.bytes, gpu.free_bytes());
    const gpu::Memory<std::byte> memory(gpu, bytes);
    gpu.fill(memory.raw(), 0x3C, bytes);
    const gpu::Memory<gpu::u32> words(gpu, blocks);
    const gpu::Memory<float> sums(gpu, blocks * gpu::MultiplyAll::kThreads);
    const double read =
        seconds_of(gpu, gpu::ReadAll{memory.view(), words.view()}, measure.n_samples);
    const gpu::MultiplyAll multiply{sums.view(), measure.n_rounds};
    const double computed = seconds_of(gpu, multiply, measure.n_samples);
    return {static_cast<double>(bytes) / read, static_cast<double>(multiply.flops()) / computed};
}

DeviceRoofs measure_device_roofs(std::uint32_t device) {
    return measure_roofs(*gpu::make_cuda_gpu(device));
}

}  // namespace kv
