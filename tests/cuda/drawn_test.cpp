// Kernels in shapes, tables and codecs that nobody chose: each against float64, within what
// rounding allows. The same draws over the emulated GPU and, where there is one, on a card.

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <functional>

#include "core/base/error.hpp"
#include "cuda/cuda_gpu.hpp"
#include "cuda/device.hpp"
#include "cuda/emulated_gpu.hpp"
#include "tests/cuda/drawn_append.hpp"
#include "tests/cuda/drawn_attention.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// KVARIUM_KERNEL_DRAWS=5000 for the long run.
std::uint64_t wanted_draws() {
    const char* asked = std::getenv("KVARIUM_KERNEL_DRAWS");
    return asked == nullptr ? 40 : std::strtoull(asked, nullptr, 10);
}

void check_draws(const std::function<std::unique_ptr<gpu::Gpu>(bool down)>& make_gpu) {
    for (std::uint64_t seed = 1; seed <= wanted_draws(); ++seed) {
        const auto bytes = random_bytes(seed);
        Drawn drawn(bytes);
        const auto gpu = make_gpu(drawn.one_in(2));
        CAPTURE(seed);
        const auto append = wrong_append(*gpu, draw_append(drawn));
        CHECK(append.value_or("nothing") == "nothing");
        const auto attention = wrong_attention(*gpu, draw_attention(drawn, 300'000));
        CHECK(attention.value_or("nothing") == "nothing");
    }
}

}  // namespace

TEST_CASE("kernels in drawn shapes, tables and codecs are off by rounding alone",
          "[emulated][draws]") {
    check_draws([](bool down) {
        return gpu::make_emulated_gpu(down ? gpu::GridOrder::Downwards : gpu::GridOrder::Upwards,
                                      {.multiprocessors = 4, .shared_bytes = 227 * 1024});
    });
}

TEST_CASE("on a card, kernels in the same drawn shapes are off by rounding alone",
          "[device][draws]") {
    const DeviceQuery query = query_devices();
    if (query.outcome != DeviceQuery::Outcome::Found) SKIP(query.sentence);
    check_draws([](bool) { return gpu::make_cuda_gpu(0); });
}
