// What the backend on a card does not serve, in words.

#include <algorithm>

#include "core/base/error.hpp"
#include "cuda/backend/backend.hpp"
#include "cuda/backend/gpu_backend.hpp"
#include "cuda/device/device.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kMostHeadDim = 256;

}  // namespace

std::optional<std::string> cuda_objection(const ModelConfig& config) {
    const std::uint64_t dim = std::max(config.head_dim, config.v_head_dim);
    if (dim > kMostHeadDim)
        return "heads of " + std::to_string(dim) +
               " elements do not fit into the shared memory that its attention uses (at most 256)";
    return std::nullopt;
}

void require_cuda(const ModelConfig& config, std::uint32_t device) {
    const DeviceQuery query = query_devices();
    if (query.outcome != DeviceQuery::Outcome::Found)
        throw Error(ErrorCode::Missing, absence_sentence(query));
    if (device >= query.devices.size())
        throw Error(ErrorCode::Missing, "There is no device cuda:" + std::to_string(device) + ". " +
                                            query.sentence + " They are counted from 0.");
    gpu::refuse_unserved(config);
}

namespace gpu {

void refuse_unserved(const ModelConfig& config) {
    if (const auto why = cuda_objection(config))
        throw Error(ErrorCode::Usage,
                    "The cuda backend cannot run this: " + *why + ". Use --backend cpu.");
}

}  // namespace gpu
}  // namespace kv
