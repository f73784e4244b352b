// Kernels in shapes, tables and codecs that nobody chose: each against float64, within what
// rounding allows, or byte by byte. The same draws over the emulated GPU and, where there is one,
// on a card.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cstdlib>

#include "core/base/error.hpp"
#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/device.hpp"
#include "tests/cuda/drawn/kernels.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// KVARIUM_KERNEL_DRAWS=5000 for the long run.
std::uint64_t wanted_draws() {
    const char* asked = std::getenv("KVARIUM_KERNEL_DRAWS");
    return asked == nullptr ? 40 : std::strtoull(asked, nullptr, 10);
}

template <class MakeGpu>
void check_draws(u32 family, const MakeGpu& make_gpu) {
    for (std::uint64_t seed = 1; seed <= wanted_draws(); ++seed) {
        const auto bytes = random_bytes(seed, family);
        Drawn drawn(bytes);
        const std::unique_ptr<gpu::Gpu> gpu = make_gpu(drawn);
        CAPTURE(kDrawnFamilies[family], seed);
        CHECK(wrong_kernel(*gpu, drawn, family, 300'000).value_or("nothing") == "nothing");
    }
}

}  // namespace

TEST_CASE("kernels in drawn shapes, tables and codecs are off by rounding alone",
          "[emulated][draws]") {
    const u32 family = GENERATE(range(0u, kDrawnFamilyCount));
    check_draws(family, drawn_gpu);
}

TEST_CASE("on a card, kernels in the same drawn shapes are off by rounding alone",
          "[device][draws]") {
    const DeviceQuery query = query_devices();
    if (query.outcome != DeviceQuery::Outcome::Found) SKIP(query.sentence);
    const u32 family = GENERATE(range(0u, kDrawnFamilyCount));
    check_draws(family, [](Drawn& drawn) {
        drawn_gpu(drawn);  // so that the same bytes are left
        return gpu::make_cuda_gpu(0);
    });
}
