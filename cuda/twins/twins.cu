// The launch layer of the twins: one kernel, one element per thread and turn.

#include <algorithm>

#include "cuda/device/resources.cuh"
#include "cuda/twins/twins.hpp"

namespace kv {
namespace {

// A band of poison on both sides of the table: a kernel that writes outside of it is caught here.
constexpr std::size_t kGuard = 256;
constexpr std::uint64_t kPoison = 0xDEADBEEFCAFEF00D;

__global__ void twin_kernel(TwinParams params) {
    fill_twin(params, Lane{blockIdx.x, threadIdx.x, {gridDim.x, blockDim.x}});
}

bool is_poison(std::uint64_t value) {
    return value == kPoison;
}

}  // namespace

std::vector<std::uint64_t> twin_on_device(Twin twin, Grid grid) {
    const auto size = static_cast<std::ptrdiff_t>(twin_size(twin));
    std::vector<std::uint64_t> table(twin_size(twin) + 2 * kGuard, kPoison);
    Stream stream;
    StreamEvent done;
    DeviceBuffer<std::uint64_t> buffer(table.size());
    buffer.upload(table.data(), stream);
    launch(twin_kernel, grid, {twin, buffer.data() + kGuard}, stream);
    buffer.download(table.data(), stream);
    done.record(stream);
    done.wait();

    const auto first = table.begin() + kGuard, last = first + size;
    KV_ASSERT(std::all_of(table.begin(), first, is_poison));
    KV_ASSERT(std::all_of(last, table.end(), is_poison));
    return {first, last};
}

}  // namespace kv
