#include <catch2/catch_test_macros.hpp>

#include "app/panels/compare_runs/side/rows_plan.hpp"

using namespace kv;

namespace {

bool is_whole_pixel(float x) {
    return x == static_cast<float>(static_cast<int>(x));
}

PairSidePlan planned(Vec2 room, const PairSideNeeds& needs) {
    const auto plan = plan_pair_side(room, needs);
    REQUIRE(plan);
    return *plan;
}

}  // namespace

TEST_CASE("a block of sixteen stands under a row of sixteen tokens", "[pair]") {
    const PairSidePlan plan = planned({920, 540}, {.n_tokens = 103, .n_blocks = 6});
    CHECK(plan.n_rows == 7);  // 103 tokens in rows of 16
    for (std::uint32_t i = 0; i < 16; ++i) CHECK(plan.chip(i).x == plan.slot(5, i).x);
    // floor((920 - 36) / 16) = 55
    CHECK(plan.pitch_x == 55);
    CHECK(plan.chip(17).x == 36 + 55);
    CHECK(plan.chip(17).y - plan.chip(1).y == plan.pitch_y);
    CHECK(plan.height <= 540);
}

TEST_CASE("small blocks share a line", "[pair]") {
    const PairSidePlan plan =
        planned({920, 540}, {.n_tokens = 40, .block_size = 4, .n_blocks = 10});
    CHECK(plan.per_line == 4);
    CHECK(plan.n_lines == 3);
    CHECK(plan.slot(0, 0).y == plan.slot(3, 3).y);
    CHECK(plan.slot(4, 0).y == plan.slot(0, 0).y + plan.line_pitch);
    CHECK(plan.slot(0, 3).right() <= plan.block_id(1).x);
    CHECK(plan.slot(3, 3).right() <= 920);
}

TEST_CASE("rows are for texts that fit whole, and for words that are not cut", "[pair]") {
    CHECK(plan_pair_side({920, 540}, {.n_tokens = 103, .n_blocks = 6}));
    // 25 rows of at least 27 pixels.
    CHECK_FALSE(plan_pair_side({920, 540}, {.n_tokens = 400, .n_blocks = 25}));
    // A sixteenth of 598 pixels is 37 for a word.
    CHECK_FALSE(plan_pair_side({634, 540}, {.n_tokens = 20, .n_blocks = 2}));
    CHECK_FALSE(plan_pair_side({920, 540}, {.unit = 2, .n_tokens = 20, .n_blocks = 2}));
}

TEST_CASE("what is drawn is what is hit", "[pair]") {
    const PairSidePlan plan = planned({920, 540}, {.n_tokens = 103, .n_blocks = 6});
    for (const std::uint32_t token : {0u, 15u, 16u, 92u, 102u})
        CHECK(plan.token_at(plan.chip(token).center(), 103) == token);
    CHECK_FALSE(plan.token_at(plan.chip(103).center(), 103));
    CHECK_FALSE(plan.token_at({2, plan.chip(0).center().y}, 103));
    CHECK(plan.block_at(plan.slot(5, 7).center(), 16, 6) == 5);
    CHECK(plan.block_at(plan.block_id(2).center(), 16, 6) == 2);
    CHECK_FALSE(plan.block_at({400, 2}, 16, 6));
}

TEST_CASE("the parts of a side stand under one another at every size", "[pair]") {
    std::size_t n = 0;
    for (const Vec2 room : {Vec2{820, 600}, Vec2{954, 550}, Vec2{4000, 3000}})
        for (const float unit : {0.8f, 1.0f, 2.0f, 3.0f})
            for (const std::uint32_t block : {1u, 4u, 16u, 64u, 1024u}) {
                const auto plan =
                    plan_pair_side(room, {unit, 100, block, (100 + block - 1) / block, true});
                INFO(room.x << "x" << room.y << " unit " << unit << " block " << block);
                if (!plan) continue;
                ++n;
                CHECK(plan->title.bottom() <= plan->chips_y);
                CHECK(plan->chips_y + static_cast<float>(plan->n_rows) * plan->pitch_y <=
                      plan->stored_head.y);
                CHECK(plan->stored_y + static_cast<float>(plan->n_lines) * plan->line_pitch <=
                      plan->prediction_head.y);
                CHECK(plan->height <= room.y);
                CHECK(plan->cell_pitch > 0);
                CHECK(is_whole_pixel(plan->chip(16).x));
                CHECK(is_whole_pixel(plan->pitch_y));
            }
    CHECK(n > 20);
}
