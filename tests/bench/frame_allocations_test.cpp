// How often a warm frame asks for memory: what is there may shrink, and does not grow unnoticed.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "bench/allocations.hpp"
#include "bench/explore_window.hpp"
#include "bench/large_pool.hpp"

using namespace kv;
using namespace kv::bench;

namespace {

// How often building a frame asked for memory.
std::uint64_t asked(ExploreWindow& window, const RunView& run) {
    const std::uint64_t before = allocations();
    window.build(run);
    const std::uint64_t all = allocations() - before;
    window.end();
    return all;
}

constexpr int kWarmUp = 12, kFrames = 20;

}  // namespace

TEST_CASE("a warm frame over a large pool asks for memory no more often than it did", "[bench]") {
    constexpr std::uint64_t kStill = 410, kMoving = 540;
    LargePool pool;
    ExploreWindow window(open_null({1920, 1080}));
    for (int i = 0; i < kWarmUp; ++i) asked(window, pool.view());
    std::uint64_t still = 0, moving = 0;
    for (int i = 0; i < kFrames; ++i) still = std::max(still, asked(window, pool.view()));
    for (int i = 0; i < kWarmUp + kFrames; ++i) {
        pool.step();
        const std::uint64_t times = asked(window, pool.view());
        if (i >= kWarmUp) moving = std::max(moving, times);
    }
    INFO(still << " in a frame like the one before, " << moving << " after a step");
    CHECK(still <= kStill);
    CHECK(moving <= kMoving);
}
