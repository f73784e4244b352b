#include "app/live/scene/follow.hpp"

#include <catch2/catch_test_macros.hpp>

#include "app/shell/texts/said.hpp"

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
    follow_line(focus, now);
    CHECK(focus.block == BlockId(1));
    CHECK_FALSE(focus.token);
    follow_line(focus, now);
    CHECK(focus.token == 4u);
    CHECK_FALSE(focus.block);

    focus.block = BlockId(0);  // B alone holds it
    follow_line(focus, now);
    CHECK(focus.request == SeqId(1));
    CHECK(focus.token == 4u);
    focus.block = BlockId(2);  // both do, and B is looked at
    follow_line(focus, now);
    CHECK(focus.request == SeqId(1));
    CHECK(focus.token == 0u);
}

TEST_CASE("a line that leads nowhere is refused and changes nothing", "[live][follow]") {
    RunFocus focus;
    focus.block = BlockId(3);
    CHECK_THROWS_AS(follow_line(focus, two_requests()), Refused);
    CHECK(focus.block == BlockId(3));
    RunFocus nowhere;
    CHECK_THROWS_AS(follow_line(nowhere, Snapshot()), Refused);
}

TEST_CASE("an address selects the vector and the token that it belongs to", "[live][follow]") {
    const Snapshot now = two_requests();
    const KvLayout layout = small_layout();
    // A layer is 2 x 5 blocks of 16 bytes. Values of layer 1, block 1, slot 0, second element:
    // 160 + 80 + 16 + 2 = 258.
    RunFocus focus;
    select_address(focus, now, layout, 3, "258");
    CHECK(focus.request == SeqId(0));
    CHECK(focus.token == 4u);
    CHECK(focus.layer == 1);
    CHECK(focus.side == Side::V);
    CHECK(focus.dim == 1);
    RunFocus in_hex;
    select_address(in_hex, now, layout, 3, "0x102");
    CHECK(in_hex.token == 4u);
    // Block 3 is nobody's: then it is selected itself.
    select_address(focus, now, layout, 3, "48");
    CHECK(focus.block == BlockId(3));
    CHECK_FALSE(focus.token);
    CHECK(focus.layer == 0);
    CHECK(focus.side == Side::K);
}

TEST_CASE("words that are no address of the pool are refused and change nothing",
          "[live][follow]") {
    const KvLayout layout = small_layout();
    RunFocus focus;
    focus.token = 1;
    for (const char* words :
         {"", "0x", "barn", "12 ", "-1", "320", "0x140", "99999999999999999999"})
        CHECK_THROWS_AS(select_address(focus, two_requests(), layout, 3, words), Refused);
    CHECK(focus.token == 1u);
    CHECK_NOTHROW(select_address(focus, two_requests(), layout, 3, "319"));  // the last byte
}
