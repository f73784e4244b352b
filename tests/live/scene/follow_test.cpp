#include "app/live/scene/follow.hpp"

#include <catch2/catch_test_macros.hpp>

#include "app/shell/texts/said.hpp"
#include "tests/live/desk.hpp"

using namespace kv;

namespace {

// Four slots a block. A holds 5 tokens in blocks 2 and 1; B shares block 2 and holds block 0.
Snapshot two_requests() {
    Snapshot now;
    now.block_size = 4;
    now.lanes.resize(1);
    now.lanes[0].blocks = SharedArray<BlockView>(std::vector<BlockView>(5));
    const auto add = [&](const char* name, std::initializer_list<std::uint32_t> blocks,
                         std::uint32_t stored) {
        RequestView request;
        request.name = name, request.stored = stored;
        for (std::uint32_t i = 0; i < stored; ++i) request.tokens.push_back(i);
        request.tables.resize(1), request.slots.resize(1);
        for (const std::uint32_t block : blocks) request.tables[0].push_back(BlockId(block));
        now.requests.push_back(request);
    };
    add("A", {2, 1}, 5);
    add("B", {2, 0}, 6);
    return now;
}

// Two layers of five blocks; one head of two elements of 16 bits.
KvLayout small_layout() {
    KvLayout layout;
    layout.n_layers = 2, layout.n_kv_heads = 1, layout.block_size = 4, layout.n_blocks = 5;
    layout.k = layout.v = {.dim = 2, .element_bits = 16, .bytes = 4};
    return layout;
}

}  // namespace

TEST_CASE("a line leads from a token to its block, and back to the block's first token",
          "[live][follow]") {
    const Snapshot now = two_requests();
    RunFocus focus;
    focus.token = 4;
    follow_line(focus, LaneAt{now});
    CHECK(focus.block == BlockId(1));
    CHECK_FALSE(focus.token);
    follow_line(focus, LaneAt{now});
    CHECK(focus.token == 4u);
    CHECK_FALSE(focus.block);

    focus.block = BlockId(0);  // B alone holds it
    follow_line(focus, LaneAt{now});
    CHECK(focus.request == SeqId(1));
    CHECK(focus.token == 4u);
    focus.block = BlockId(2);  // both do, and B is looked at
    follow_line(focus, LaneAt{now});
    CHECK(focus.request == SeqId(1));
    CHECK(focus.token == 0u);
}

TEST_CASE("a line that leads nowhere is refused and changes nothing", "[live][follow]") {
    const Snapshot now = two_requests(), nothing;
    RunFocus focus;
    focus.block = BlockId(3);
    CHECK_THROWS_AS(follow_line(focus, LaneAt{now}), Refused);
    CHECK(focus.block == BlockId(3));
    RunFocus nowhere;
    CHECK_THROWS_AS(follow_line(nowhere, LaneAt{nothing}), Refused);
}

TEST_CASE("an address selects the vector and the token that it belongs to", "[live][follow]") {
    const Snapshot now = two_requests();
    const KvLayout layout = small_layout();
    const AddressedPool pool{layout, {}, 3};
    // A layer is 2 x 5 blocks of 16 bytes. Values of layer 1, block 1, slot 0, second element:
    // 160 + 80 + 16 + 2 = 258.
    RunFocus focus;
    select_address(focus, now, pool, "258");
    CHECK(focus.request == SeqId(0));
    CHECK(focus.token == 4u);
    CHECK(focus.layer == 1);
    CHECK(focus.side == Side::V);
    CHECK(focus.dim == 1);
    RunFocus in_hex;
    select_address(in_hex, now, pool, "0x102");
    CHECK(in_hex.token == 4u);
    // Block 3 is nobody's: then it is selected itself.
    select_address(focus, now, pool, "48");
    CHECK(focus.block == BlockId(3));
    CHECK_FALSE(focus.token);
    CHECK(focus.layer == 0);
    CHECK(focus.side == Side::K);
}

TEST_CASE("words that are no address of the pool are refused and change nothing",
          "[live][follow]") {
    const KvLayout layout = small_layout();
    const AddressedPool pool{layout, {}, 3};
    RunFocus focus;
    focus.token = 1;
    for (const char* words :
         {"", "0x", "barn", "12 ", "-1", "320", "0x140", "99999999999999999999"})
        CHECK_THROWS_AS(select_address(focus, two_requests(), pool, words), Refused);
    CHECK(focus.token == 1u);
    CHECK_NOTHROW(select_address(focus, two_requests(), pool, "319"));  // the last byte
}

TEST_CASE("every layer and head of a policy finds a token in its own table", "[live][follow]") {
    Desk desk("needle");
    desk.ask("run.set evict h2o:8+8");
    desk.ask("run.goto 9");
    const RunView& run = desk.view();
    const KvLayout& layout = run.layout;
    const AddressedPool pool{layout, run.lanes, static_cast<std::uint32_t>(run.model.n_heads)};
    REQUIRE(run.lanes.n_lanes() > 1);
    std::uint32_t n_found = 0, n_moved = 0;
    const auto check = [&](LayerId layer, HeadId head, Side side, std::uint32_t token) {
        const LaneAt lane{run.now, run.lanes.lane_of(layer, head)};
        const auto place = place_of_token(lane, {SeqId(0), token});
        if (!place) return;
        ++n_found;
        if (place->entry * layout.block_size + place->slot.value != token) ++n_moved;
        RunFocus focus;
        select_address(
            focus, run.now, pool,
            std::to_string(layout.vector_offset(layer, side, head, place->block, place->slot)));
        CHECK(focus.token == token);
        CHECK_FALSE(focus.block);
        follow_line(focus, lane);
        CHECK(focus.block == place->block);
        follow_line(focus, lane);
        REQUIRE(focus.token);
        CHECK(entry_of(lane, {SeqId(0), *focus.token}) == place->entry);
        CHECK_FALSE(is_dropped(lane, {SeqId(0), *focus.token}));
    };
    for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
        for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head)
            for (const Side side : {Side::K, Side::V})
                for (std::uint32_t token = 0; token < run.now.requests[0].stored; ++token)
                    check(LayerId(layer), HeadId(head), side, token);
    CHECK(n_found > 0);
    CHECK(n_moved > 0);
}

TEST_CASE("a followed line leads to the block of the layer and head in focus", "[live][follow]") {
    Desk desk("needle");
    desk.ask("run.set evict h2o:8+8");
    desk.ask("run.goto 9");
    const LaneShape lanes = desk.view().lanes;
    RunFocus& focus = desk.state.run.focus;
    const std::uint32_t last = lanes.n_layers - 1;
    focus.layer = last, focus.kv_head = lanes.n_kv_heads - 1;
    const LaneAt first{desk.now()},
        lane{desk.now(), lanes.lane_of(LayerId(last), HeadId(focus.kv_head))};
    // A token that the last lane has and the first one has not, or has elsewhere.
    const auto is_elsewhere = [&](std::uint32_t token) {
        const auto here = place_of_token(lane, {SeqId(0), token});
        const auto there = place_of_token(first, {SeqId(0), token});
        return here && (!there || there->block != here->block);
    };
    std::uint32_t token = 0;
    while (token < desk.now().requests[0].stored && !is_elsewhere(token)) ++token;
    const auto place = place_of_token(lane, {SeqId(0), token});
    REQUIRE(place);
    focus.token = token, focus.block.reset();
    desk.ask("select.follow");
    CHECK(focus.block == place->block);
}
