#include "core/sim/gap_map.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

using namespace kv;

TEST_CASE("first fit takes the start of the lowest gap that is large enough", "[gaps]") {
    GapMap gaps(64);
    CHECK(gaps.take(16) == 0u);
    CHECK(gaps.take(8) == 16u);
    CHECK(gaps.take(16) == 24u);
    gaps.give(16, 8);  // gaps: 8 at 16, 24 at 40
    CHECK(gaps.take(9) == 40u);
    CHECK(gaps.take(8) == 16u);
    CHECK(gaps.gaps() == 1);
    CHECK(gaps.free_slots() == 15);
}

TEST_CASE("gaps merge on both sides", "[gaps]") {
    GapMap gaps(30);
    CHECK(gaps.take(10) == 0u);
    CHECK(gaps.take(10) == 10u);
    CHECK(gaps.take(10) == 20u);
    CHECK(gaps.gaps() == 0);
    gaps.give(0, 10);
    gaps.give(20, 10);
    CHECK(gaps.gaps() == 2);
    CHECK(gaps.largest_gap() == 10);
    gaps.give(10, 10);
    CHECK(gaps.gaps() == 1);
    CHECK(gaps.take(30) == 0u);
    CHECK_THROWS_AS(([&] {
                        gaps.give(5, 5);
                        gaps.give(5, 5);
                    }()),
                    BrokenAssert);
}

TEST_CASE("it finds what a search slot by slot finds", "[gaps]") {
    for (u64 seed = 0; seed < 20; ++seed) {
        const Random random(seed, 0);
        const u64 slots = 1 + random.below(0, 1500);
        GapMap gaps(slots);
        std::vector<bool> used(slots);
        std::vector<std::pair<u64, u64>> live;
        const auto search = [&](u64 size) -> std::optional<u64> {
            u64 run = 0;
            for (u64 at = 0; at < slots; ++at) {
                run = used[at] ? 0 : run + 1;
                if (run == size) return at + 1 - size;
            }
            return std::nullopt;
        };
        for (u64 step = 1; step < 800; ++step) {
            if (!live.empty() && random.below(3 * step, 9) < 4) {
                const std::size_t at =
                    random.below(3 * step + 1, static_cast<std::uint32_t>(live.size()));
                const auto [address, size] = live[at];
                live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
                std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(address), size, false);
                gaps.give(address, size);
            } else {
                const u64 size = 1 + random.below(3 * step + 2, 60);
                const auto expected = search(size);
                const auto address = gaps.take(size);
                REQUIRE(address == expected);
                if (!address) continue;
                std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(*address), size, true);
                live.emplace_back(*address, size);
            }
            u64 runs = 0;
            for (u64 at = 0; at < slots; ++at) runs += !used[at] && (at == 0 || used[at - 1]);
            REQUIRE(gaps.gaps() == runs);
            REQUIRE(gaps.free_slots() ==
                    static_cast<u64>(std::count(used.begin(), used.end(), false)));
        }
    }
}
