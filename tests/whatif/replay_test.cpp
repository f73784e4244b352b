#include "core/whatif/replay/replay.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/whatif/streams.hpp"

using namespace kv;
using kv::test::ChainMaker;

namespace {

PoolOutcome replayed(const Recording& recording, std::string_view order, u64 pool) {
    return *replay(recording, {.pool_blocks = pool, .order = *replay_order_named(order)});
}

}  // namespace

TEST_CASE("first in, first out gives up what lru keeps", "[replay]") {
    ChainMaker maker(16);
    maker.ask({1});
    maker.ask({2});
    maker.ask({1});  // used again: lru keeps it, fifo does not care
    maker.ask({3});
    maker.ask({1});
    CHECK(replayed(maker.recording, "lru", 2).hit_tokens == 2 * 16);
    CHECK(replayed(maker.recording, "fifo", 2).hit_tokens == 1 * 16);
    CHECK(replayed(maker.recording, "lru-sglang", 2).hit_tokens == 2 * 16);
}

TEST_CASE("the least frequently used goes before the least recently used one", "[replay]") {
    ChainMaker maker(16);
    maker.ask({1, 2});
    maker.ask({1, 3});  // passes through 1 once more, and takes the place of 2
    maker.ask({4});     // takes the place of 3
    maker.ask({5});     // lru gives up 1, lfu 4
    maker.ask({1});
    CHECK(replayed(maker.recording, "lru", 2).hit_tokens == 1 * 16);
    CHECK(replayed(maker.recording, "lfu", 2).hit_tokens == 2 * 16);
}

TEST_CASE("all orders agree where nothing is given up", "[replay]") {
    const Recording recording = test::random_recording(5, false);
    const auto depths = stack_depths(recording);
    const PoolOutcome without_end = outcome_without_end(recording, *depths);
    for (const ReplayOrder& order : replay_orders()) {
        CAPTURE(order.name);
        CHECK(replayed(recording, order.name, 500) == without_end);
        // And however small the pool is, none finds more than that.
        const PoolOutcome small = replayed(recording, order.name, 5);
        CHECK(small.hit_tokens <= without_end.hit_tokens);
        CHECK(small.hit_tokens + small.again_tokens == without_end.hit_tokens);
        CHECK(small.blocks_reclaimed > 0);
    }
    CHECK_FALSE(replay_order_named("clock").has_value());
}

TEST_CASE("what the pool gives up is found in the host, and comes over the link", "[replay]") {
    ChainMaker maker(16);
    maker.ask({1});
    maker.ask({2});
    maker.ask({1});
    const PoolOutcome alone = *replay(maker.recording, {.pool_blocks = 1});
    CHECK(alone.hit_tokens == 0);
    CHECK(alone.again_tokens == 16);
    const PoolOutcome tiers = *replay(maker.recording, {.pool_blocks = 1, .host_blocks = 1});
    CHECK(tiers.hit_tokens == 16);
    CHECK(tiers.host_hit_tokens == 16);
    CHECK(tiers.again_tokens == 0);
    CHECK(tiers.requests[2] == PoolOutcome::Request{16, 16});
}

TEST_CASE("with a host that holds all, nothing is computed twice", "[replay]") {
    for (u64 seed = 0; seed < 6; ++seed) {
        const Recording recording = test::random_recording(seed, false);
        const auto depths = stack_depths(recording);
        const PoolOutcome tiers = *replay(recording, {.pool_blocks = 7, .host_blocks = 500});
        const PoolOutcome pool = outcome_of(recording, *depths, 7);
        CHECK(tiers.again_tokens == 0);
        CHECK(tiers.hit_tokens == outcome_without_end(recording, *depths).hit_tokens);
        // What the pool itself finds does not come over the link.
        CHECK(tiers.hit_tokens - tiers.host_hit_tokens == pool.hit_tokens);
    }
}
