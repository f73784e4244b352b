#pragma once
// Heads of some new tokens on their way into a pool on a GPU: in one launch, or step by step. Each
// token of a batch has a sequence and blocks of its own.

#include <vector>

#include "core/cache/codec/vector_codec.hpp"
#include "cuda/device/gpu.hpp"

namespace kv::bench {

class GpuAppend {
public:
    GpuAppend(gpu::Gpu& gpu, const Codec& codec, std::uint32_t n_tokens);

    void launch();
    void launch_apart();
    double bytes() const;  // queries and keys read and written, values read, codes written
    // Both ways from the same heads leave the same pool; kv::Error (Check) where they do not.
    void check();

private:
    std::vector<std::byte> pool_after(void (GpuAppend::*way)());

    gpu::Gpu& gpu_;
    gpu::NewHeads heads_;
    gpu::NormAndRope rope_;
    std::vector<float> values_;
    gpu::Memory<std::byte> pool_;
    gpu::Memory<float> floats_;  // q, k and v, one behind the other
    gpu::Memory<float> angles_;  // cosines, then sines
    gpu::Memory<std::uint16_t> scales_;
    gpu::Memory<std::uint32_t> numbers_;
};

}  // namespace kv::bench
