// A warm frame asks for no memory: what its plans, words and scratch need, the frame before let go.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "bench/allocations.hpp"
#include "bench/books/large_pool.hpp"
#include "bench/window/explore_window.hpp"
#include "core/base/sanitizers.hpp"

using namespace kv;
using namespace kv::bench;

namespace {

#if defined(KV_ADDRESS_SANITIZER)
constexpr bool kKeepsMemory = false;  // core/base/reused.hpp
#else
constexpr bool kKeepsMemory = true;
#endif

constexpr int kWarmUp = 12, kFrames = 20;

// How often building a frame asked for memory.
std::uint64_t asked(ExploreWindow& window, const RunView& run, const RunView* beside) {
    const std::uint64_t before = allocations();
    window.build(run, beside);
    const std::uint64_t all = allocations() - before;
    window.end();
    return all;
}

// Of most frames: now and then what is kept of a growing run outgrows its room, and doubles it.
std::uint64_t median(std::vector<std::uint64_t> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void check_layout(LayoutName layout) {
    if (!kKeepsMemory) SKIP("AddressSanitizer wants to see every piece of memory come and go");
    LargePool pool;
    const LargePool other;
    const RunView right = other.view();
    const RunView* beside = layout == LayoutName::Compare ? &right : nullptr;
    ExploreWindow window(open_null({1920, 1080}), layout);
    for (int i = 0; i < kWarmUp; ++i) asked(window, pool.view(), beside);
    std::uint64_t still = 0;
    for (int i = 0; i < kFrames; ++i) still = std::max(still, asked(window, pool.view(), beside));
    CHECK(still == 0);

    window.play();
    std::vector<std::uint64_t> moving;
    for (int i = 0; i < kWarmUp + kFrames; ++i) {
        pool.step();
        const std::uint64_t times = asked(window, pool.view(), beside);
        if (i >= kWarmUp) moving.push_back(times);
    }
    CHECK(median(moving) == 0);
}

}  // namespace

TEST_CASE("a warm frame of Explore over a large pool asks for no memory", "[bench]") {
    check_layout(LayoutName::Explore);
}

TEST_CASE("a warm frame of Learn over a large pool asks for no memory", "[bench]") {
    check_layout(LayoutName::Learn);
}

TEST_CASE("a warm frame of Compare over two large pools asks for no memory", "[bench]") {
    check_layout(LayoutName::Compare);
}

TEST_CASE("a warm frame of Present over a large pool asks for no memory", "[bench]") {
    check_layout(LayoutName::Present);
}
