#include "app/session/backends.hpp"

#include "core/base/background/background.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/reference/reference.hpp"
#include "core/engine/settings/settings.hpp"
#include "cuda/backend/backend.hpp"
#include "cuda/device/device.hpp"

namespace kv {
namespace {

// A small model's step is shorter than the time that threads need to find each other.
constexpr u64 kOneThreadBelow = 4'000'000;  // parameters

}  // namespace

std::unique_ptr<Backend> open_backend(const ModelConfig& config, const Weights& weights,
                                      const std::string& name, const PoolSpec& pool) {
    if (name == "reference") return make_reference(config, weights, pool);
    if (const auto device = cuda_device_of(name)) return make_cuda(config, weights, pool, *device);
    CpuOptions options;
    if (parameter_count(shape_of(config)) >= kOneThreadBelow) options.workers = threads_here() - 1;
    return make_cpu(config, weights, pool, options);
}

void require_backend(const ModelConfig& config, const std::string& name) {
    if (const auto device = cuda_device_of(name)) require_cuda(config, *device);
}

DefaultBackend default_backend(const ModelConfig& config) {
    const DeviceQuery query = query_devices();
    if (query.outcome != DeviceQuery::Outcome::Found) return {"cpu", absence_sentence(query)};
    if (const auto why = cuda_objection(config))
        return {"cpu", "The CPU engine runs this, since " + *why + "."};
    return {"cuda", {}};
}

}  // namespace kv
