#include "core/whatif/stack.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/whatif/replay/replay.hpp"
#include "tests/whatif/streams.hpp"

using namespace kv;
using kv::test::ChainMaker;

TEST_CASE("a block's depth is the smallest pool that still has it", "[stack]") {
    ChainMaker maker(16);
    maker.ask({1, 2, 3});
    maker.ask({4});
    maker.ask({1, 2, 5});
    maker.ask({4});
    const auto depths = stack_depths(maker.recording);
    constexpr std::uint32_t kNew = kNeverStored;
    // After the first two the stack is 4 1 2 3; the third makes it 1 2 5 4 3.
    CHECK(depths->streams[0].depths == std::vector<std::uint32_t>{kNew, kNew, kNew,  //
                                                                  kNew,              //
                                                                  2, 3, kNew,        //
                                                                  4});
    CHECK(blocks_without_end(*depths) == 5);

    const PoolOutcome three = outcome_of(maker.recording, *depths, 3);
    CHECK(three.asked_tokens == 8 * 16);
    CHECK(three.hit_tokens == 2 * 16);    // of the third 1 and 2
    CHECK(three.again_tokens == 1 * 16);  // the 4
    CHECK(three.computed_tokens() == 6 * 16);
    // 4 takes the place of 3; 5 that of 4; 4 that of 5.
    CHECK(three.blocks_reclaimed == 3);
    CHECK(outcome_of(maker.recording, *depths, 4).hit_tokens == 3 * 16);
    CHECK(outcome_of(maker.recording, *depths, 1).hit_tokens == 0);
    CHECK(smallest_pool_reaching(maker.recording, *depths, 0.95) == 4);
    CHECK(smallest_pool_reaching(maker.recording, *depths, 0.5) == 3);
}

TEST_CASE("blocks of an answer are stored, and nobody asks for them", "[stack]") {
    ChainMaker maker(16);
    maker.ask({1, 2, 3}, 1);
    maker.ask({1, 2, 3}, 2);
    const auto depths = stack_depths(maker.recording);
    const PoolOutcome outcome = outcome_without_end(maker.recording, *depths);
    CHECK(outcome.asked_tokens == 3 * 16);
    CHECK(outcome.hit_tokens == 2 * 16);
}

TEST_CASE("one pass, the books, and a list searched from end to end say the same of every size",
          "[stack][heavy]") {
    for (u64 seed = 0; seed < 12; ++seed) {
        const Recording recording = test::random_recording(seed, seed % 3 == 0);
        const auto depths = stack_depths(recording);
        const u64 most = blocks_without_end(*depths);
        REQUIRE(most > 20);
        for (u64 pool = 1; pool <= most + 2; ++pool) {
            const PoolOutcome passed = outcome_of(recording, *depths, pool);
            CAPTURE(seed, pool);
            REQUIRE(passed == test::searched_pool(recording, pool));
            REQUIRE(passed == *replay(recording, {.pool_blocks = pool}));
        }
    }
}

TEST_CASE("ranks have pools of their own", "[stack]") {
    ChainMaker maker(16);
    maker.ask({1});
    maker.recording.streams.emplace_back().rank = 1;
    maker.ask({1});
    maker.ask({1});
    const auto depths = stack_depths(maker.recording);
    const PoolOutcome outcome = outcome_of(maker.recording, *depths, 1);
    CHECK(outcome.hit_tokens == 16);
    CHECK(outcome == *replay(maker.recording, {.pool_blocks = 1}));
}

TEST_CASE("the pass stops when it is told to", "[stack]") {
    ChainMaker maker(16);
    for (std::uint32_t i = 0; i < 600; ++i) maker.ask({i % 7});
    CHECK_FALSE(stack_depths(maker.recording, [](double) { return false; }).has_value());
    CHECK_FALSE(replay(maker.recording, {.pool_blocks = 3}, [](double) { return false; }));
    CHECK(stack_depths(maker.recording, [](double done) { return done <= 1; }).has_value());
}
