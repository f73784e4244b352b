// Moving blocks or computing them again: rows 150 to 153 of the checks and lesson 13.
#include "core/cost/time/offload.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

TEST_CASE("100 blocks of 5 MiB are 500 MiB: 21.0 ms, 9.5 ms, 0.157 ms",
          "[offload][C151][C153][lesson13]") {
    const u64 bytes = 100 * 5 * kMiB;
    CHECK(bytes == 524'288'000);
    CHECK(bytes == 500 * kMiB);
    CHECK(1e3 * transfer_seconds(bytes, 25e9) == Approx(21.0).epsilon(0.002));
    CHECK(1e3 * transfer_seconds(bytes, 55e9) == Approx(9.5).epsilon(0.004));
    CHECK(1e3 * transfer_seconds(bytes, 3.35e12) == Approx(0.157).epsilon(0.004));
    CHECK(3.35e12 / 25e9 == Approx(134.0));
}

TEST_CASE("latency comes on top of every transfer", "[offload][C150]") {
    CHECK(transfer_seconds(1'000'000, 1e9, 0.0005) == Approx(0.0015));
    CHECK(transfer_seconds(0, 1e9, 0.0005) == Approx(0.0005));
}

TEST_CASE("2 GiB of 7B: fetch over the bus, recompute rather than read a slow disk",
          "[offload][lesson13]") {
    const ModelShape s = model("llama-2-7b");
    const double again = recompute_seconds(s, 4096, 400e12, AttentionWork::LeftOut);
    const double bus = transfer_seconds(2 * kGiB, 25e9), disk = transfer_seconds(2 * kGiB, 7e9);
    CHECK(1e3 * bus == Approx(85.9).epsilon(0.001));
    CHECK(1e3 * again == Approx(138.0).epsilon(0.001));
    CHECK(1e3 * disk == Approx(307.0).epsilon(0.001));
    CHECK(cheaper(bus, again) == Resume::Fetch);
    CHECK(cheaper(disk, again) == Resume::Recompute);
}

TEST_CASE("counting attention changes the estimate by its share", "[offload]") {
    const ModelShape s = model("llama-2-7b");
    const double plain = recompute_seconds(s, 4096, 400e12, AttentionWork::LeftOut);
    const double counted = recompute_seconds(s, 4096, 400e12, AttentionWork::Counted);
    // 32 layers x 16,384 FLOP x 4096 x 4097 / 2 pairs, and no embedding or repeated head.
    const double attention = 32.0 * 16'384 * 4096 * 4097 / 2;
    const double matrices = 2.0 * 4096 * 32 * 202'375'168 + 2.0 * 131'072'000;
    CHECK(counted == Approx((attention + matrices) / 400e12));
    CHECK(counted > plain);
}
