#include "core/whatif/regroup.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/whatif/outcome.hpp"
#include "tests/whatif/streams.hpp"

using namespace kv;
using kv::test::ChainMaker;

TEST_CASE("hashes alone can be joined, and not cut", "[regroup]") {
    ChainMaker maker(16);
    maker.ask({1, 2, 3});
    maker.ask({1, 2, 4});
    maker.ask({1, 5, 6, 7});
    maker.ask({8});  // half a block of 32
    CHECK(can_regroup(maker.recording, 32));
    CHECK_FALSE(can_regroup(maker.recording, 24));
    CHECK_FALSE(can_regroup(maker.recording, 8));
    const Recording now = *regrouped(maker.recording, 32);
    CHECK(now.chains.size() == 3);  // 12, 15, 67
    CHECK(now.streams[0].asks.size() == 3);
    CHECK(now.streams[0].asks[0].last == now.streams[0].asks[1].last);
    CHECK(now.streams[0].asks[2].n_blocks == 2);
    const PoolOutcome outcome = outcome_without_end(now, *stack_depths(now));
    CHECK(outcome.asked_tokens == 11 * 16);  // as many as before
    CHECK(outcome.hit_tokens == 32);         // 12, and not its 16 tokens in 15
}

TEST_CASE("tokens can be cut at any size", "[regroup]") {
    ChainMaker maker(4);
    maker.ask({1, 2});
    maker.ask({1, 3});
    // 1 is 0 1 2 3; 2 and 3 begin with the same two tokens.
    maker.recording.tokens = {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 8, 9};
    const auto found = [&](std::uint32_t size) {
        const Recording now = *regrouped(maker.recording, size);
        REQUIRE(now.block_size == size);
        return outcome_without_end(now, *stack_depths(now)).hit_tokens;
    };
    CHECK(found(1) == 6);
    CHECK(found(2) == 6);
    CHECK(found(3) == 6);
    CHECK(found(4) == 4);
    CHECK(found(5) == 5);
    CHECK(found(8) == 0);
    CHECK(found(9) == 0);
}

TEST_CASE("the same tokens behind others are another block", "[regroup]") {
    ChainMaker maker(2);
    maker.ask({1, 3});
    maker.ask({2, 4});
    maker.recording.tokens = {10, 11, 50, 51, 20, 21, 50, 51};
    for (const std::uint32_t size : {1u, 2u}) {
        const Recording now = *regrouped(maker.recording, size);
        CHECK(outcome_without_end(now, *stack_depths(now)).hit_tokens == 0);
    }
}

TEST_CASE("a smaller block never finds less in a pool without end", "[regroup]") {
    const Recording recording = test::random_recording(3, true);
    u64 before = outcome_without_end(recording, *stack_depths(recording)).hit_tokens;
    for (const std::uint32_t size : {8u, 16u, 32u}) {
        const Recording now = *regrouped(recording, size);
        const PoolOutcome outcome = outcome_without_end(now, *stack_depths(now));
        CHECK(outcome.hit_tokens <= before);
        CHECK(outcome.asked_tokens ==
              outcome_without_end(recording, *stack_depths(recording)).asked_tokens);
        before = outcome.hit_tokens;
    }
}
