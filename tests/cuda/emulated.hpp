#pragma once
// The backend over the emulated GPU, as the tests make it.

#include "cuda/emulated_gpu.hpp"
#include "cuda/gpu_backend.hpp"
#include "tests/engine/cpu_model.hpp"
#include "tests/engine/small_model.hpp"

namespace kv::test {

inline std::unique_ptr<gpu::GpuBackend> make_emulated(
    const ModelConfig& config, const Weights& weights, const PoolSpec& pool,
    const gpu::GpuOptions& options = {}, gpu::GridOrder order = gpu::GridOrder::Upwards) {
    std::shared_ptr<gpu::Gpu> gpu = gpu::make_emulated_gpu(order);
    // Weights have a stream of their own, as on a card.
    auto model =
        std::make_shared<const gpu::DeviceModel>(gpu::make_emulated_gpu(), config, weights);
    return std::make_unique<gpu::GpuBackend>(gpu, model, config, weights, pool, options);
}

using Chunks = std::vector<std::size_t>;

// Logits of every token, fed in chunks.
inline std::vector<float> run(Backend& backend, const std::vector<std::uint32_t>& tokens,
                              const Chunks& chunks,
                              std::optional<std::vector<BlockId>> table = {}) {
    Sequence sequence(backend, std::move(table));
    std::vector<float> all;
    auto at = tokens.begin();
    for (const std::size_t chunk : chunks) {
        const auto end = at + static_cast<std::ptrdiff_t>(chunk);
        const auto logits = sequence.feed({at, end});
        all.insert(all.end(), logits.begin(), logits.end());
        at = end;
    }
    return all;
}

// Heads that fill no piece, groups that fill no tile, biases, norms, windows.
inline std::vector<RandomShape> awkward_shapes() {
    std::vector<RandomShape> shapes;
    const u64 groups[] = {1, 2, 3, 8, 16, 2}, dims[] = {8, 24, 16, 80, 32, 128};
    for (std::size_t i = 0; i < 6; ++i) {
        RandomShape s;
        s.n_kv_heads = i % 3 + 1;
        s.group = groups[i];
        s.head_dim = dims[i];
        s.hidden = 24 + 9 * i;
        s.intermediate = 40 + 17 * i;
        s.biases = i % 2 == 1;
        s.qk_norm = i % 3 == 1;
        s.tied = i % 2 == 0;
        if (i % 2 == 0) s.window = 11;
        shapes.push_back(s);
    }
    return shapes;
}

// A table that is as wrong as an identity table flatters.
inline std::vector<BlockId> backwards(std::uint32_t n_blocks) {
    std::vector<BlockId> table;
    for (std::uint32_t i = n_blocks; i-- > 0;) table.push_back(BlockId(i));
    return table;
}

}  // namespace kv::test
