#pragma once
// A cache of random keys and values in the memory of a GPU, its blocks in random order, and a batch
// of queries that look at all of it, as the rows about decode attention time them. Over any Gpu, so
// that the tests check over the emulated one what a card will be timed at.

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/gpu/clock.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "cuda/device/decode_rungs.hpp"

namespace kv::bench {

struct GpuAttentionShape {
    std::uint32_t n_heads = 32, n_kv_heads = 8, dim = 128;
    std::uint32_t batch = 1, context = 4096, block_size = 16;
    Codec codec = Codec::Bf16;
};

using gpu::DecodeRung;

class GpuAttention {
public:
    GpuAttention(gpu::Gpu& gpu, const GpuAttentionShape& shape);

    void launch(DecodeRung rung);
    double bytes() const;  // keys, values and scales once, queries, output, tables
    // The largest distance of a rung's output from float64, over some rows and heads, in parts of
    // the largest output; kv::Error (Check) where it is more than rounding.
    double check(DecodeRung rung);

private:
    void fill_pool();
    std::vector<double> truth(std::uint32_t row, std::uint32_t head) const;
    gpu::HeadGroups groups(DecodeRung rung) const;

    gpu::Gpu& gpu_;
    GpuAttentionShape shape_;
    KvLayout layout_;
    gpu::Attended a_;
    std::vector<std::uint32_t> table_;    // (batch, blocks)
    std::vector<std::byte> some_blocks_;  // of one side: what the pool repeats
    std::vector<float> q_;
    gpu::Memory<std::byte> pool_;
    gpu::Memory<std::uint16_t> scales_;
    gpu::Memory<std::uint32_t> numbers_, tickets_;
    gpu::Memory<float> queries_, attention_output_, scores_, partial_out_, partial_states_;
};

}  // namespace kv::bench
