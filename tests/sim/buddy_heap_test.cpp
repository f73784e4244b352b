#include "core/sim/buddy_heap.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

using namespace kv;

TEST_CASE("seven requests of 2,048 fit 15,728 slots, the eighth does not", "[buddy]") {
    // 15,728 = 8,192 + 4,096 + 2,048 + 1,024 + 256 + 64 + 32 + 16.
    BuddyHeap heap(15'728);
    CHECK(heap.largest() == 8192);
    for (u64 i = 0; i < 7; ++i) CHECK(heap.take(2048).has_value());
    CHECK_FALSE(heap.take(2048).has_value());
    CHECK(heap.free_slots() == 1392);  // 8.85 % of the pool
    CHECK(heap.take(1024) == 14'336u);
    CHECK(heap.take(256) == 15'360u);
    CHECK_FALSE(heap.take(65).has_value());
    CHECK(heap.take(64) == 15'616u);
}

TEST_CASE("the smallest block that is large enough, at the lowest address", "[buddy]") {
    BuddyHeap heap(24);          // 16 at 0, 8 at 16
    CHECK(heap.take(5) == 16u);  // rounded up to 8; the 16 stays whole
    CHECK(heap.take(3) == 0u);   // 16 is halved: 4 used, 4 at 4, 8 at 8
    CHECK(heap.take(8) == 8u);
    CHECK(heap.take(4) == 4u);
    CHECK(heap.free_slots() == 0);
    heap.give(4, 4);
    heap.give(8, 8);
    CHECK_FALSE(heap.take(16).has_value());
    heap.give(0, 3);
    CHECK(heap.take(16) == 0u);  // all buddies came together again
}

TEST_CASE("what no heap can give", "[buddy]") {
    BuddyHeap heap(8);
    CHECK_FALSE(heap.take(0).has_value());
    CHECK_FALSE(heap.take(9).has_value());
    CHECK_FALSE(heap.take(~u64{0}).has_value());
    CHECK_FALSE(BuddyHeap(0).take(1).has_value());
    CHECK(power_of_two_from(1) == 1);
    CHECK(power_of_two_from(25) == 32);
    CHECK(power_of_two_from(u64{1} << 63) == u64{1} << 63);
    heap.take(4);
    heap.give(0, 4);
    CHECK_THROWS_AS(heap.give(0, 8), BrokenAssert);  // given back twice
}

TEST_CASE("whatever is taken and given back, blocks do not overlap and merge again", "[buddy]") {
    for (u64 seed = 0; seed < 20; ++seed) {
        const Random random(seed, 0);
        const u64 slots = 1 + random.below(0, 3000);
        BuddyHeap heap(slots);
        std::vector<bool> used(slots);
        std::vector<std::pair<u64, u64>> live;
        for (u64 step = 1; step < 600; ++step) {
            if (!live.empty() && random.below(3 * step, 5) < 2) {
                const std::size_t at =
                    random.below(3 * step + 1, static_cast<std::uint32_t>(live.size()));
                const auto [address, size] = live[at];
                live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
                std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(address),
                            power_of_two_from(size), false);
                heap.give(address, size);
            } else {
                const u64 size = 1 + random.below(3 * step + 2, 200);
                const auto address = heap.take(size);
                if (!address) continue;
                const u64 rounded = power_of_two_from(size);
                REQUIRE(*address % rounded == 0);
                REQUIRE(*address + rounded <= slots);
                const auto first = used.begin() + static_cast<std::ptrdiff_t>(*address);
                REQUIRE(std::count(first, first + static_cast<std::ptrdiff_t>(rounded), true) == 0);
                std::fill_n(first, rounded, true);
                live.emplace_back(*address, size);
            }
            REQUIRE(heap.free_slots() ==
                    static_cast<u64>(std::count(used.begin(), used.end(), false)));
        }
        for (const auto& [address, size] : live) heap.give(address, size);
        CHECK(heap.take(heap.largest()) == 0u);
    }
}
