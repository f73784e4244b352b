// What a build without nvcc answers.

#include "core/base/error.hpp"
#include "cuda/backend/backend.hpp"
#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/device.hpp"
#include "cuda/twins/twins.hpp"

namespace kv {

DeviceQuery query_devices() {
    DeviceQuery query;
    query.outcome = DeviceQuery::Outcome::NotBuilt;
    query.sentence = device_sentence(query);
    return query;
}

std::vector<std::uint64_t> twin_on_device(Twin, Grid) {
    throw Error{ErrorCode::Missing, query_devices().sentence};
}

namespace gpu {

std::unique_ptr<Gpu> make_cuda_gpu(u32) {
    throw Error{ErrorCode::Missing, absence_sentence(query_devices())};
}

}  // namespace gpu

std::unique_ptr<Backend> make_cuda(const ModelConfig&, const Weights&, const PoolSpec&,
                                   std::uint32_t) {
    throw Error{ErrorCode::Missing, absence_sentence(query_devices())};
}

}  // namespace kv
