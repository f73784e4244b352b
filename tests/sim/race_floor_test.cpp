// Where regions and blocks lie in a race: the eight requests of lesson 8 against counts made by
// hand, and random races against what the race itself adds up.
#include "core/sim/race_floor.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/sim/random_race.hpp"

using namespace kv;

namespace {

// Tokens, reserved, never filled, not held.
using Counts = std::vector<u64>;

Counts counts_of(const FloorMoment& at, u64 slots) {
    Counts sums{0, 0, 0, slots};
    for (const FloorPiece& piece : at.pieces) {
        sums[0] += piece.tokens, sums[1] += piece.reserved, sums[2] += piece.never();
        sums[3] -= piece.slots;
    }
    return sums;
}

const Workload kEight = {{0, 10, 4}, {0, 13, 11}, {0, 8, 7}, {0, 6, 16},
                         {0, 5, 5},  {0, 4, 10},  {0, 8, 9}, {0, 13, 16}};

WatchedRace eight(AllocatorKind kind) {
    RaceSettings settings;
    settings.pool.slots = 128, settings.pool.block_size = 4, settings.pool.max_length = 32;
    return watch_race(kind, kEight, settings);
}

}  // namespace

TEST_CASE("eight requests in 128 slots: what each rule holds at step 4", "[sim][race_floor]") {
    const auto at_four = [](AllocatorKind kind) { return eight(kind).moments[3]; };
    CHECK(counts_of(at_four(AllocatorKind::Max), 128) == Counts{49, 26, 53, 0});
    CHECK(counts_of(at_four(AllocatorKind::Pow2), 128) == Counts{57, 28, 9, 34});
    CHECK(counts_of(at_four(AllocatorKind::Oracle), 128) == Counts{64, 35, 0, 29});
    CHECK(counts_of(at_four(AllocatorKind::Grow), 128) == Counts{75, 18, 11, 24});
    CHECK(counts_of(at_four(AllocatorKind::Paged), 128) == Counts{91, 7, 2, 28});
    u64 at_once = 4;
    for (const AllocatorKind kind : {AllocatorKind::Max, AllocatorKind::Pow2, AllocatorKind::Oracle,
                                     AllocatorKind::Grow, AllocatorKind::Paged})
        CHECK(at_four(kind).running == at_once++);
}

TEST_CASE("who waits is told with what it asks for and what there is", "[sim][race_floor]") {
    // E asks for a region of 32, F for 4 + 16 slots in a piece of 32, H for 16 in gaps of 12, 8, 4.
    const FloorMoment max = eight(AllocatorKind::Max).moments[3];
    CHECK(max.waiting == std::vector<std::uint32_t>{4, 5, 6, 7});
    REQUIRE(max.wanted);
    CHECK((max.wanted->slots == 32 && max.wanted->longest == 0));
    const FloorMoment pow2 = eight(AllocatorKind::Pow2).moments[3];
    CHECK(pow2.waiting == std::vector<std::uint32_t>{5, 6, 7});
    REQUIRE(pow2.wanted);
    CHECK((pow2.wanted->slots == 20 && pow2.wanted->piece == 32 && pow2.wanted->longest == 16));
    const FloorMoment grow = eight(AllocatorKind::Grow).moments[3];
    CHECK(grow.waiting == std::vector<std::uint32_t>{7});  // it ran, and made room
    REQUIRE(grow.wanted);
    CHECK((grow.wanted->slots == 16 && grow.wanted->piece == 16 && grow.wanted->longest == 12));
    const FloorMoment paged = eight(AllocatorKind::Paged).moments[3];
    CHECK(paged.waiting.empty());
    CHECK_FALSE(paged.wanted);
}

TEST_CASE("a block of paged follows where its request needs it", "[sim][race_floor]") {
    const WatchedRace race = eight(AllocatorKind::Paged);
    CHECK(race.result.iterations == 16);
    // The prompts take 20 blocks in order; then C, F and G are full, and two steps later A and D.
    std::vector<std::uint32_t> owners;
    for (const FloorPiece& piece : race.moments[3].pieces) owners.push_back(piece.request);
    CHECK(owners == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4,
                                               5, 6, 6, 7, 7, 7, 7, 2, 5, 6, 0, 3});
    // A has 13 tokens: the last block holds one, will hold one more, and leaves two for ever.
    CHECK(race.moments[3].pieces[23] == FloorPiece{0, 92, 4, 1, 1});
    // A ends with step 4; its blocks are free behind all others and nobody needs one by then.
    CHECK(race.moments[4].running == 7);
}

TEST_CASE("what lies on the floor adds up to what the race counts", "[sim][race_floor]") {
    for (u64 number = 0; number < 200; ++number) {
        CAPTURE(number);
        test::RandomRace scene = test::random_race(number, 5);
        if (number % 4 == 0) scene.settings.faults.leak = 0.1;
        for (const AllocatorKind kind : all_allocators()) {
            RaceFloor floor(kind, scene.workload, scene.settings);
            std::vector<PoolUse> uses;
            std::vector<u64> waiting;
            const auto see = [&](const RaceSpan& span) {
                floor.see(span);
                for (u64 i = 0; i < span.count; ++i) uses.push_back(span.use_at(i));
                waiting.insert(waiting.end(), span.count, span.waiting);
            };
            race(kind, scene.workload, scene.settings, see, {}, &floor);
            REQUIRE(floor.moments().size() == uses.size());
            for (std::size_t i = 0; i < uses.size(); ++i) {
                const FloorMoment& at = floor.moments()[i];
                const Counts sums = counts_of(at, scene.settings.pool.slots);
                REQUIRE(sums[0] == uses[i].tokens);
                REQUIRE(sums[1] + sums[2] == uses[i].reserved + uses[i].internal);
                REQUIRE(sums[3] == uses[i].external + uses[i].free);
                if (kind != AllocatorKind::Paged) REQUIRE(sums[1] == uses[i].reserved);
                REQUIRE(at.waiting.size() == waiting[i]);
                REQUIRE(at.wanted.has_value() == !at.waiting.empty());
                u64 end = 0;
                for (const FloorPiece& piece : at.pieces) {
                    REQUIRE(piece.address >= end);
                    end = piece.address + piece.slots;
                }
                REQUIRE(end <= scene.settings.pool.slots);
            }
        }
    }
}
