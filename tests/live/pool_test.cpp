// What becomes of the pool when a setting makes its blocks larger or smaller.
#include <catch2/catch_test_macros.hpp>

#include "tests/live/desk.hpp"

using namespace kv;

TEST_CASE("a pool that keeps its bytes has twice the blocks of half the size", "[live][heavy]") {
    Desk desk("explore", 3);
    REQUIRE(desk.view().layout.n_blocks == 48);
    const std::uint64_t bytes = desk.view().layout.pool_bytes();
    desk.ask("run.set pool " + std::to_string(bytes) + "B");
    CHECK(desk.view().layout.n_blocks == 48);
    desk.ask("run.set block_size 8");
    CHECK(desk.view().layout.n_blocks == 96);
    CHECK(desk.view().layout.pool_bytes() == bytes);
    CHECK_FALSE(desk.state.notice);
    // Half the blocks have no use for the ids of the others.
    desk.ask("run.set block_size 32");
    CHECK_FALSE(desk.state.notice);
    CHECK(desk.view().layout.n_blocks == 24);
    desk.ask("run.undo_set");
    desk.ask("run.undo_set");
    desk.ask("run.undo_set");
    CHECK(desk.view().layout.n_blocks == 48);
    CHECK(desk.view().settings.at("pool") == "48blocks");
    CHECK(desk.view().settings.at("block_size") == "16");
}

TEST_CASE("a pool that keeps its blocks says what became of its bytes", "[live]") {
    Desk desk("first", 1);
    desk.ask("run.set block_size 8");
    CHECK(desk.view().layout.n_blocks == 48);
    REQUIRE(desk.state.notice);
    CHECK_FALSE(desk.state.notice->refused);
    CHECK(desk.state.notice->said.in(Texts()).starts_with(
        "48 blocks of 4 KiB are 192 KiB now; they were 384 KiB."));
    desk.state.notice.reset();
    desk.ask("run.set evict window:8");
    CHECK_FALSE(desk.state.notice);
    desk.ask("run.model mqa");
    REQUIRE(desk.state.notice);
}

TEST_CASE("a step of the default size is one that can be seen: an iteration", "[live]") {
    Desk desk("explore", 112);
    desk.ask("run.forward");
    CHECK(desk.now().iteration == 113);
    CHECK_FALSE(desk.now().in_iteration);
    desk.ask("run.finer_forward");
    CHECK(desk.now().iteration == 114);
    CHECK(desk.now().in_iteration);
}
