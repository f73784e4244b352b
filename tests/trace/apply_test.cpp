// What an event does to the state, where that is easily done wrong.
#include <catch2/catch_test_macros.hpp>

#include "core/trace/snapshot.hpp"

using namespace kv;

namespace {

void tell(Snapshot& state, EventBody what, std::optional<SeqId> request = std::nullopt) {
    apply(state, {1, request, {Why::ByCommand, {}, 0, 0}, std::move(what)});
}

Snapshot pool_with_request(std::uint32_t lanes = 1) {
    Snapshot state;
    tell(state, PoolMade{4, 2, lanes, 2, 0, {}});
    tell(state, RequestArrived{"A", {1, 2, 3, 4, 5}, {}, 3, 0, "", {}}, SeqId(0));
    return state;
}

}  // namespace

TEST_CASE("an idle cached block that is copied out is pinned and keeps its place", "[trace]") {
    Snapshot state = pool_with_request();
    tell(state, BlockAllocated{LaneId(0), BlockId(0), 0}, SeqId(0));
    tell(state, TokensStored{0, 2}, SeqId(0));
    tell(state, BlockStored{{77}, {}, {1, 2}, 2, Medium::Device, {0}}, SeqId(0));
    tell(state, BlockFreed{LaneId(0), BlockId(0), 0, false}, SeqId(0));
    const LaneView& lane = state.lanes[0];
    CHECK((lane.used == 0 && lane.cached == 1));

    tell(state, TransferStarted{Medium::Device, Medium::Host, 0, 1, 0, 77, 2, 64});
    CHECK(lane.blocks[0].state() == BlockState::Cached);
    CHECK(lane.blocks[0].pins == 1);
    CHECK(state.host[1].state == PlaceState::Arriving);

    tell(state, TransferFinished{Medium::Device, Medium::Host, 0, 1, 5, 0, 0});
    CHECK(lane.blocks[0].pins == 0);
    CHECK((lane.used == 0 && lane.cached == 1));
    CHECK(state.host[1].state == PlaceState::Held);
    CHECK(free_list(lane) == std::vector{BlockId(1), BlockId(2), BlockId(3), BlockId(0)});
}

TEST_CASE("a table ends with its last held block, in whatever order blocks are freed", "[trace]") {
    Snapshot state = pool_with_request();
    for (std::uint32_t b = 0; b < 3; ++b)
        tell(state, BlockAllocated{LaneId(0), BlockId(b), b}, SeqId(0));
    tell(state, BlockFreed{LaneId(0), BlockId(0), 0, false}, SeqId(0));
    tell(state, BlockFreed{LaneId(0), BlockId(1), 1, false}, SeqId(0));
    CHECK(state.requests[0].tables[0].size() == 3);
    tell(state, BlockFreed{LaneId(0), BlockId(2), 2, false}, SeqId(0));
    CHECK(state.requests[0].tables[0].empty());
}

TEST_CASE("a pool made anew gives each request a table per lane", "[trace]") {
    Snapshot state = pool_with_request();
    tell(state, PoolMade{4, 2, 3, 0, 0, {2}});
    REQUIRE(state.requests[0].tables.size() == 3);
    tell(state, BlockAllocated{LaneId(2), BlockId(2), 0}, SeqId(0));
    CHECK(state.lanes[2].used == 1);
    CHECK(free_list(state.lanes[0]) == std::vector{BlockId(2), BlockId(0), BlockId(1), BlockId(3)});
}
