#include <catch2/catch_test_macros.hpp>

#include "app/panels/compare_runs/side_plan.hpp"

using namespace kv;

namespace {
bool is_whole_pixel(float x) {
    return x == static_cast<float>(static_cast<int>(x));
}
}  // namespace

TEST_CASE("a block of sixteen stands under a row of sixteen tokens", "[pair]") {
    const PairSidePlan plan =
        plan_pair_side({920, 540}, {.n_tokens = 103, .anchor = 92, .n_blocks = 6});
    CHECK(plan.n_rows == 7);  // 103 tokens in rows of 16
    CHECK(plan.first_row == 0);
    CHECK_FALSE(plan.rows_left);
    for (std::uint32_t i = 0; i < 16; ++i) CHECK(plan.chip(i).x == plan.slot(5, i).x);
    // floor((920 - 36) / 16) = 55
    CHECK(plan.pitch_x == 55);
    CHECK(plan.chip(17).x == 36 + 55);
    CHECK(plan.chip(17).y - plan.chip(1).y == plan.pitch_y);
    CHECK(plan.height <= 540);
}

TEST_CASE("small blocks share a line", "[pair]") {
    const PairSidePlan plan =
        plan_pair_side({920, 540}, {.n_tokens = 40, .anchor = 39, .block_size = 4, .n_blocks = 10});
    CHECK(plan.per_line == 4);
    CHECK(plan.n_lines == 3);
    CHECK(plan.slot(0, 0).y == plan.slot(3, 3).y);
    CHECK(plan.slot(4, 0).y == plan.slot(0, 0).y + plan.line_pitch);
    CHECK(plan.slot(0, 3).right() <= plan.block_id(1).x);
    CHECK(plan.slot(3, 3).right() <= 920);
}

TEST_CASE("the token at the cursor is in view, and what is left out is said", "[pair]") {
    const PairSidePlan plan =
        plan_pair_side({600, 320}, {.n_tokens = 400, .anchor = 300, .n_blocks = 19});
    CHECK(plan.shows_token(300));
    CHECK(plan.first_row > 0);
    CHECK(plan.rows_left.has_value());
    CHECK(plan.blocks_left.has_value());
    CHECK(plan.shows_block(18));
    CHECK_FALSE(plan.shows_block(0));
    CHECK(plan.height <= 320);
}

TEST_CASE("what is drawn is what is hit", "[pair]") {
    const PairSidePlan plan =
        plan_pair_side({920, 540}, {.n_tokens = 103, .anchor = 92, .n_blocks = 6});
    for (const std::uint32_t token : {0u, 15u, 16u, 92u, 102u})
        CHECK(plan.token_at(plan.chip(token).center(), 103) == token);
    CHECK_FALSE(plan.token_at(plan.chip(103).center(), 103));
    CHECK_FALSE(plan.token_at({2, plan.chip(0).center().y}, 103));
    CHECK(plan.block_at(plan.slot(5, 7).center(), 16, 6) == 5);
    CHECK(plan.block_at(plan.block_id(2).center(), 16, 6) == 2);
    CHECK_FALSE(plan.block_at({400, 2}, 16, 6));
}

TEST_CASE("the parts of a side stand under one another at every size", "[pair]") {
    for (const Vec2 room :
         {Vec2{1, 1}, Vec2{240, 200}, Vec2{640, 290}, Vec2{954, 550}, Vec2{4000, 3000}})
        for (const float unit : {0.8f, 1.0f, 2.0f, 3.0f})
            for (const std::uint32_t block : {1u, 4u, 16u, 64u, 1024u}) {
                const PairSidePlan plan =
                    plan_pair_side(room, {unit, 500, 499, block, (500 + block - 1) / block, true});
                INFO(room.x << "x" << room.y << " unit " << unit << " block " << block);
                CHECK(plan.title.bottom() <= plan.chips_y);
                CHECK(plan.chips_y + static_cast<float>(plan.n_rows) * plan.pitch_y <=
                      plan.stored_head.y);
                CHECK(plan.stored_y + static_cast<float>(plan.n_lines) * plan.line_pitch <=
                      plan.prediction_head.y);
                CHECK(plan.chip_w > 0);
                CHECK(plan.cell_pitch > 0);
                CHECK(is_whole_pixel(plan.chip(plan.first_row * 16).x));
                CHECK(is_whole_pixel(plan.pitch_y));
            }
}

TEST_CASE("a side with rows left out of both grids stays in its room", "[pair]") {
    for (const std::uint32_t n_blocks : {1u, 2u, 3u, 4u, 8u})
        for (float h = 200; h <= 400; h += 7) {
            const PairSidePlan plan = plan_pair_side(
                {600, h}, {.n_tokens = 90, .anchor = 84, .n_blocks = n_blocks, .has_note = true});
            INFO(n_blocks << " blocks in " << h);
            if (plan.n_rows > 0 && plan.n_lines > 0) CHECK(plan.height <= h);
        }
}

TEST_CASE("rows that do not fit scroll to either end and no further", "[pair]") {
    const PairSideNeeds needs{.n_tokens = 400, .anchor = 399, .n_blocks = 25};
    const auto scrolled = [&](std::int64_t rows, std::int64_t lines) {
        PairSideNeeds moved = needs;
        moved.row_scroll = rows, moved.line_scroll = lines;
        return plan_pair_side({600, 320}, moved);
    };
    const PairSidePlan end = scrolled(0, 0), first = scrolled(-1'000, -1'000);
    REQUIRE(end.rows_left);
    REQUIRE(end.blocks_left);
    CHECK(end.shows_token(399));
    CHECK(end.row_scroll == 0);
    CHECK(first.first_row == 0);
    CHECK(first.first_line == 0);
    CHECK(first.shows_token(0));
    CHECK(first.shows_block(0));
    // 400 tokens are 25 rows; turned back as far as there are rows, not a thousand.
    CHECK(first.row_scroll == -(25 - std::int64_t{end.n_rows}));
    CHECK(scrolled(-3, 0).first_row == end.first_row - 3);
    CHECK(scrolled(1'000, 1'000).first_row == end.first_row);
    CHECK(scrolled(1'000, 1'000).line_scroll == 0);
    // The same parts stand at the same places, so that nothing jumps while scrolling.
    CHECK(first.chips_y == end.chips_y);
    CHECK(first.stored_y == end.stored_y);
    CHECK(first.height == end.height);
    CHECK(first.rows_left->right() <= first.rows_after->x);
}
