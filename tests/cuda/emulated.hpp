#pragma once
// The backend over the emulated GPU, as the tests make it.

#include "cuda/backend/gpu_backend.hpp"
#include "cuda/twins/emulated_gpu.hpp"
#include "tests/engine/cpu/model.hpp"

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

// A table that is as wrong as an identity table flatters.
inline std::vector<BlockId> backwards(std::uint32_t n_blocks) {
    std::vector<BlockId> table;
    for (std::uint32_t i = n_blocks; i-- > 0;) table.push_back(BlockId(i));
    return table;
}

}  // namespace kv::test
