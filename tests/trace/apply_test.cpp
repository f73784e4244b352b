// What an event does to the state, where that is easily done wrong.
#include <catch2/catch_test_macros.hpp>

#include "core/trace/event/event.hpp"
#include "core/trace/snapshot.hpp"

using namespace kv;

namespace {

void tell(Snapshot& state, EventBody what, std::optional<SeqId> request = std::nullopt) {
    apply(state, {1, request, {Why::ByCommand}, std::move(what)});
}

Snapshot pool_with_request(std::uint32_t lanes = 1) {
    Snapshot state;
    tell(state, PoolMade{.n_blocks = 4, .block_size = 2, .n_lanes = lanes, .n_host = 2});
    tell(state, RequestArrived{.name = "A", .prompt = {1, 2, 3, 4, 5}, .max_new = 3}, SeqId(0));
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

    tell(state, TransferStarted{.from = Medium::Device,
                                .to = Medium::Host,
                                .from_id = 0,
                                .to_id = 1,
                                .hash = 77,
                                .slots = 2,
                                .bytes = 64});
    CHECK(lane.blocks[0].state() == BlockState::Cached);
    CHECK(lane.blocks[0].pins == 1);
    CHECK(state.host[1].state == PlaceState::Arriving);

    tell(state,
         TransferFinished{
             .from = Medium::Device, .to = Medium::Host, .from_id = 0, .to_id = 1, .checksum = 5});
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
    tell(state, PoolMade{.n_blocks = 4, .block_size = 2, .n_lanes = 3, .free_list = {2}});
    REQUIRE(state.requests[0].tables.size() == 3);
    tell(state, BlockAllocated{LaneId(2), BlockId(2), 0}, SeqId(0));
    CHECK(state.lanes[2].used == 1);
    CHECK(free_list(state.lanes[0]) == std::vector{BlockId(2), BlockId(0), BlockId(1), BlockId(3)});
}
