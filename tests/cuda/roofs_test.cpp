// What is measured of a device: its roofs, and the parts of an engine's steps, by its own clock.

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/engine/run/engine.hpp"
#include "core/trace/event/event.hpp"
#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/device_roofs.hpp"
#include "tests/cuda/emulated.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;

// 3 blocks of 256 threads with 8 sums each, 5 times a product and a sum.
TEST_CASE("the ceiling of arithmetic counts what it does", "[emulated]") {
    const auto gpu = gpu::make_emulated_gpu();
    const gpu::Memory<float> sums(*gpu, 3 * 256);
    const gpu::MultiplyAll multiply{sums.view(), 5};
    CHECK(multiply.flops() == 2 * 5 * 8 * 3 * 256);
    gpu->launch(multiply);
    const auto sum = gpu::downloaded(*gpu, sums.view());
    for (std::size_t t = 0; t < sum.size(); ++t) {
        double expected = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            double x = static_cast<double>(t % 256 + i);
            for (int round = 0; round < 5; ++round) x = x * 0.999 + 0.001;
            expected += x;
        }
        REQUIRE(std::abs(sum[t] - expected) < 1e-2);
    }
}

TEST_CASE("the roofs of a device are numbers above zero, or a sentence", "[emulated]") {
    const auto gpu = gpu::make_emulated_gpu(gpu::GridOrder::Upwards, {.memory_bytes = 1 << 20});
    const DeviceRoofs roofs = measure_roofs(
        *gpu, {.bytes = 1 << 16, .n_rounds = 3, .blocks_of_multiprocessor = 1, .n_samples = 2});
    CHECK(roofs.bytes_per_second > 0);
    CHECK(roofs.flops_per_second > 0);
    CHECK_THROWS_AS(measure_roofs(*gpu), Error);  // 512 MiB, where there is one
}

TEST_CASE("a card has roofs", "[device]") {
    const DeviceQuery query = query_devices();
    if (query.outcome != DeviceQuery::Outcome::Found) SKIP(query.sentence);
    const DeviceRoofs roofs = measure_device_roofs(0);
    CHECK(roofs.bytes_per_second > 1e10);
    CHECK(roofs.flops_per_second > 1e11);
}

// The clock of the host stands still: what is in the trace is the device's.
TEST_CASE("the parts of a step in a trace have the times that the device measured", "[emulated]") {
    const EngineOn on;
    EngineParts parts{.config = on.model.config,
                      .make_backend = [&](const std::string&, const PoolSpec& pool) {
                          return make_emulated(on.model.config, on.model.weights, pool);
                      }};
    parts.clock_us = [] { return 0.0; };
    Engine engine(std::move(parts), tiny_settings(40));
    engine.submit(request("A", 12, 8));
    run_to_end(engine);
    std::uint32_t attended = 0;
    engine.trace().each(0, engine.trace().size(), [&](std::uint64_t, const Event& event) {
        const auto* part = std::get_if<Operation>(&event.what);
        if (part == nullptr || part->op != Op::Attend) return;
        ++attended;
        CHECK(part->us > 0);
    });
    CHECK(attended >= 8 * on.model.config.n_layers);
}
