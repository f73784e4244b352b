#include "cuda/backend/backend.hpp"

#include <map>
#include <mutex>

#include "cuda/backend/gpu_backend.hpp"
#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/out_of_memory.hpp"

namespace kv {
namespace {

using gpu::DeviceModel;

// Which weights lie on which device already. An entry is worth nothing once the last backend that
// uses it is gone; until then the weights that it is named after live, too.
class LoadedModels {
public:
    std::shared_ptr<const DeviceModel> get(const ModelConfig& config, const Weights& weights,
                                           std::uint32_t device, std::uint64_t pool_bytes) {
        const std::lock_guard lock(mutex_);
        auto& known = models_[{&weights, device}];
        if (auto model = known.lock()) return model;
        std::shared_ptr<gpu::Gpu> card = gpu::make_cuda_gpu(device);
        const u64 needed = gpu::weight_bytes(weights) + pool_bytes, free = card->free_bytes();
        if (needed > free) gpu::refuse_memory("The weights and the pool", needed, free);
        const auto model = std::make_shared<const DeviceModel>(card, config, weights);
        known = model;
        return model;
    }

private:
    std::mutex mutex_;
    std::map<std::pair<const Weights*, std::uint32_t>, std::weak_ptr<const DeviceModel>> models_;
};

LoadedModels& loaded_models() {
    static LoadedModels models;
    return models;
}

}  // namespace

std::unique_ptr<Backend> make_cuda(const ModelConfig& config, const Weights& weights,
                                   const PoolSpec& pool, std::uint32_t device) {
    require_cuda(config, device);
    const auto model =
        loaded_models().get(config, weights, device, layout_of(config, pool).pool_bytes());
    return std::make_unique<gpu::GpuBackend>(gpu::make_cuda_gpu(device), model, config, weights,
                                             pool);
}

}  // namespace kv
