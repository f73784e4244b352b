#include "core/engine/cpu/backend.hpp"

#include "core/base/error.hpp"
#include "core/engine/cpu/cpu_backend.hpp"

namespace kv {

std::unique_ptr<Backend> make_cpu(const ModelConfig& config, const Weights& weights,
                                  const PoolSpec& pool, const CpuOptions& options) {
    KV_ASSERT(config.head_dim == config.v_head_dim);
    KV_ASSERT(pool.k != Codec::F64 && pool.v != Codec::F64);
    const CpuPath path = options.path.value_or(best_cpu_path());
    if (!runs_here(path))
        throw Error(ErrorCode::Missing,
                    "The cpu path " + std::string(name_of(path)) +
                        " does not run here: this build or this processor lacks "
                        "it. Leave the path out to get the best there is.");
    return std::make_unique<cpu::CpuBackend>(config, weights, pool, path, options.workers);
}

}  // namespace kv
