// The plan of the Stage: where its parts stand, which rows and blocks are drawn, the ways of the
// lines, and what lies under a point.
#include "app/panels/stage/plan/plan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/panels/stage/plan/chips.hpp"
#include "app/panels/stage/plan/hits.hpp"
#include "app/panels/stage/plan/lines.hpp"
#include "app/panels/stage/plan/rows.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

StageNeeds learn_needs() {
    return {.unit = 1,
            .spill = 16,
            .block_size = 16,
            .n_rows = 3,
            .anchor = 2,
            .scroll = 0,
            .n_others = 2,
            .longest_other = 9,
            .n_blocks = 48,
            .n_host = 0};
}

bool is_whole(float x) {
    return x == std::floor(x);
}
bool is_whole(const Rect& r) {
    return is_whole(r.x) && is_whole(r.y) && is_whole(r.w) && is_whole(r.h);
}

}  // namespace

TEST_CASE("all rows of a request are drawn while they fit", "[stage]") {
    const RowsShown all = rows_shown(5, 5, 3, 4, 0);
    CHECK(all.begin == 0);
    CHECK(all.end == 5);
    CHECK_FALSE(all.first_apart);
    CHECK(all.above + all.below == 0);
}

TEST_CASE("what has no room leaves the first row and those around the query", "[stage]") {
    const RowsShown at_end = rows_shown(64, 6, 5, 63, 0);  // rows 0, 60 to 63
    CHECK(at_end.first_apart);
    CHECK(at_end.begin == 60);
    CHECK(at_end.end == 64);
    CHECK(at_end.above == 59);
    CHECK(at_end.below == 0);
    const RowsShown middle = rows_shown(64, 6, 5, 30, 0);  // rows 0, 28 to 31: one after the anchor
    CHECK(middle.begin == 28);
    CHECK(middle.end == 32);
    CHECK(middle.above == 27);
    CHECK(middle.below == 32);
    const RowsShown turned = rows_shown(64, 6, 5, 63, -1000);
    CHECK(turned.begin == 1);
    CHECK(turned.above == 0);
    CHECK(turned.below == 59);
    for (std::uint32_t fit = 0; fit < 8; ++fit) {  // every row is drawn or counted
        const RowsShown s = rows_shown(20, fit, fit, 11, 0);
        CHECK(s.count() + s.above + s.below == 20);
    }
}

TEST_CASE("with hardly any room a row, the pool and the count of the rest are left", "[stage]") {
    StageNeeds needs = learn_needs();
    needs.n_host = 24;
    const Vec2 room{374, 176};  // of the Stage with text of scale 3 in 1920 x 1080
    const StagePlan plan = plan_stage(room, needs);
    REQUIRE(plan.rows.size() == 2);
    CHECK(plan.rows[0].entry == 2);
    CHECK(plan.rows[1].left_out == 2);
    CHECK(plan.n_strips == 0);
    // The other requests are counted beside the rows that are left out.
    CHECK(plan.strips.x > plan.chips.x + plan.chips.w / 3);
    CHECK(plan.strips.y < plan.pool_head.y);
    CHECK(plan.pool.h >= 40);
    REQUIRE(plan.host_head);
    CHECK_FALSE(plan.host);
    CHECK(plan.host_head->y >= plan.pool.bottom());
    CHECK(plan.host_head->bottom() <= room.y);
}

TEST_CASE("low room takes strips away before it takes the pool", "[stage]") {
    StageNeeds needs = learn_needs();
    needs.n_others = 7, needs.n_host = 24;
    const StagePlan plan = plan_stage({610, 284}, needs);  // Explore at 1280 x 720
    CHECK(plan.pool.h >= 40);
    REQUIRE(plan.host);
    CHECK(plan.host->bottom() <= 284);
    CHECK(plan.n_strips < 7);
}

TEST_CASE("the classes of a block change at 4, 12, 20 and 56 pixels", "[stage]") {
    CHECK(class_of(3.9f, 1) == BlockClass::Texel);
    CHECK(class_of(4, 1) == BlockClass::Shape);
    CHECK(class_of(12, 1) == BlockClass::Outline);
    CHECK(class_of(20, 1) == BlockClass::Label);
    CHECK(class_of(56, 1) == BlockClass::Slots);
    CHECK(class_of(100, 2) == BlockClass::Label);  // 50 logical
}

TEST_CASE("a pool of 48 blocks stands in 12 columns of 70 pixels in Learn", "[stage]") {
    const PoolGrid grid = fit_pool({0, 0, 943, 330}, 48, 1);
    CHECK(grid.columns == 12);
    CHECK(grid.cell_w == 70);
    CHECK(grid.cell_h == 70);
    CHECK(grid.cell(13) == Rect{79, 84, 70, 70});
    CHECK(grid.look == BlockClass::Slots);
}

TEST_CASE("a pool of any size stays inside its room as long as two pixels are left for a block",
          "[stage]") {
    for (const std::uint32_t n : {1u, 8u, 48u, 1024u, 65'536u}) {
        for (const float unit : {0.8f, 1.0f, 2.0f}) {
            const PoolGrid grid = fit_pool({10, 20, 900 * unit, 300 * unit}, n, unit);
            CAPTURE(n, unit, grid.pitch_x);
            const Rect last = grid.cell(n - 1);
            if (n > 10'000 && unit < 1) continue;  // less than two pixels
            CHECK(is_whole(Rect{0, 0, grid.pitch_x, grid.pitch_y}));
            CHECK(last.bottom() <= 20 + 300 * unit);
            CHECK(grid.cell(std::min(n, grid.columns) - 1).right() <= 10 + 900 * unit);
            for (const std::uint32_t block : {0u, n / 2, n - 1})
                CHECK(grid.at(grid.cell(block).center()) == block);
        }
    }
    const PoolGrid million = fit_pool({0, 0, 900, 300}, 1'000'000, 1);
    CHECK(million.pitch_x == 2);
    CHECK(million.columns == 450);
    CHECK(million.visible().last_row <= 151);           // 300 / 2, and one that is cut
    CHECK(million.farthest_pan().y == 2223 * 2 - 300);  // 2,223 rows, the last one not full
}

TEST_CASE("zooming keeps the block under the cursor where it is", "[stage]") {
    const PoolGrid fit = fit_pool({100, 50, 900, 300}, 4096, 1);
    const Vec2 at = fit.cell(1234).center();
    ZoomAndPan view;
    for (int i = 0; i < 9; ++i) {
        view = zoom_at(fit, view, at, 1.25f, 1);
        const PoolGrid grid = zoomed(fit, view.zoom, view.pan, 1);
        const Rect cell = grid.cell(1234);
        CHECK(std::abs(cell.center().x - at.x) <= grid.pitch_x);
        CHECK(std::abs(cell.center().y - at.y) <= grid.pitch_y);
    }
    CHECK(zoomed(fit, view.zoom, view.pan, 1).cell_w > 2 * fit.cell_w);
    for (int i = 0; i < 40; ++i) view = zoom_at(fit, view, at, 0.8f, 1);
    CHECK(view.zoom == 1);
    CHECK(view.pan == Vec2{0, 0});
}

TEST_CASE("lines take tracks of their own and end on top of their blocks", "[stage]") {
    // Entries at 10, 20 and 30; the first two blocks share a gutter.
    const std::vector<LineEnd> ends{
        {{100, 10}, {20, 200}, 1}, {{100, 20}, {60, 200}, 1}, {{100, 30}, {40, 100}, 0}};
    const auto paths = route_lines(
        ends,
        {.first_track = 110, .track_pitch = 5, .above_block = 8, .gutter_pitch = 3, .gutter = 14});
    REQUIRE(paths.size() == 3);
    CHECK(paths[2] == std::vector<Vec2>{{100, 30}, {110, 30}, {110, 92}, {40, 92}, {40, 100}});
    CHECK(paths[0] == std::vector<Vec2>{{100, 10}, {115, 10}, {115, 189}, {20, 189}, {20, 200}});
    CHECK(paths[1] == std::vector<Vec2>{{100, 20}, {120, 20}, {120, 192}, {60, 192}, {60, 200}});
    // Under words that reach down to 195 all lines stand below them, and end where they did.
    const auto low = route_lines(ends, {.first_track = 110, .track_pitch = 5, .top = 195});
    CHECK(low[0] == std::vector<Vec2>{{100, 10}, {115, 10}, {115, 195}, {20, 195}, {20, 200}});
    CHECK(low[1] == std::vector<Vec2>{{100, 20}, {120, 20}, {120, 195}, {60, 195}, {60, 200}});
    CHECK(low[2][2].y == 99);  // and never inside the block that they lead to
}

TEST_CASE("Learn stands as it is drawn in the pictures", "[stage]") {
    const StagePlan plan = plan_stage({968, 726}, learn_needs());
    CHECK(plan.learn);
    REQUIRE(plan.rows.size() == 3);
    CHECK(plan.rows[0].y == 57);
    CHECK(plan.rows[2].y == 145);
    CHECK(plan.strip(0).y == 205);
    CHECK(plan.n_strips == 2);
    CHECK(plan.pool.y == 349);
    CHECK(plan.bar_key->bottom() <= 726);
    CHECK(fit_pool(plan.pool, 48, 1).cell_w == 70);
}

TEST_CASE("Explore has room for eight requests, 48 blocks with ids, and the host tier", "[stage]") {
    StageNeeds needs = learn_needs();
    needs.n_others = 7, needs.longest_other = 14, needs.n_host = 24;
    const StagePlan plan = plan_stage({800, 514}, needs);
    CHECK_FALSE(plan.learn);
    CHECK_FALSE(plan.sentence);
    CHECK(plan.rows.size() == 3);
    CHECK(plan.n_strips == 7);
    CHECK(fit_pool(plan.pool, 48, 1).look == BlockClass::Label);
    CHECK(plan.host->bottom() <= 514);
    CHECK(fit_pool(*plan.host, 24, 1).look == BlockClass::Label);
}

TEST_CASE("the parts of the Stage do not overlap, at any size", "[stage]") {
    for (const Vec2 room : {Vec2{608, 314}, Vec2{800, 514}, Vec2{968, 726}, Vec2{3840, 2100}}) {
        for (const float unit : {0.8f, 1.0f, 1.25f, 2.0f}) {
            for (const std::uint32_t rows : {0u, 3u, 64u, 4000u}) {
                StageNeeds needs = learn_needs();
                needs.unit = unit, needs.spill = std::round(16 * unit);
                needs.n_rows = rows, needs.anchor = rows == 0 ? 0 : rows - 1;
                needs.n_others = 12, needs.n_host = 24;
                const StagePlan plan = plan_stage(room, needs);
                CAPTURE(room.x, room.y, unit, rows);
                CHECK(plan.offsets.bottom() <= plan.chips.y);
                CHECK(plan.chips.bottom() <= plan.strips.y);
                CHECK(plan.strips.bottom() <= plan.pool_head.y);
                CHECK(plan.pool_head.bottom() <= plan.pool.y);
                CHECK(plan.pool.bottom() <= plan.host_head->y);
                CHECK(plan.chips.right() <= plan.logical_x);
                CHECK(plan.logical_x + plan.logical_w <= plan.physical_x);
                CHECK(plan.physical_x + plan.physical_w <= plan.first_track);
                CHECK(plan.pool.right() < plan.first_track);
                for (const StageRow& row : plan.rows)
                    for (const std::uint32_t i : {0u, 15u}) {
                        CHECK(is_whole(plan.chip(row, i)));
                        CHECK(plan.chip(row, i).right() <= plan.chips.right() + 1);
                    }
            }
        }
    }
}

TEST_CASE("a room without any room is still a plan", "[stage]") {
    for (const Vec2 room : {Vec2{0, 0}, Vec2{1, 1}, Vec2{30, 4000}, Vec2{4000, 10}}) {
        const StagePlan plan = plan_stage(room, learn_needs());
        CHECK(plan.pool.w >= 0);
        CHECK(plan.pool.h >= 0);
        CHECK(plan.chip_pitch >= 0);
    }
}

TEST_CASE("what is under a point is what the plan puts there", "[stage]") {
    ToldRun told(48, 16);
    const SeqId a = told.add(40, 40, {11, 22, 44});
    const SeqId b = told.add(42, 42, {0, 1, 2});
    const Snapshot& now = told.trace.end();
    const std::vector<SeqId> others = other_requests(now, a);
    CHECK(others == std::vector<SeqId>{b});
    StageNeeds needs = learn_needs();
    needs.n_others = 1, needs.longest_other = 3;
    const StagePlan plan = plan_stage({968, 726}, needs);
    const PoolGrid grid = fit_pool(plan.pool, 48, 1);
    const std::optional<PoolGrid> host;
    const auto hit = [&](Vec2 at) {
        return stage_hit({{now}, plan, {0, 0}, grid, host, a, others}, at);
    };
    CHECK(hit(plan.chip(plan.rows[2], 5).center()).token == TokenAt{a, 37});
    CHECK_FALSE(hit(plan.chip(plan.rows[2], 9).center()).token);  // no such token yet
    CHECK(hit(plan.physical(plan.rows[1]).center()).block == BlockId(22));
    CHECK(hit(grid.cell(44).center()).block == BlockId(44));
    CHECK_FALSE(hit({grid.cell(44).right() + 2, grid.cell(44).y + 2}).block);
    const Rect strip = plan.strip(0);
    const float at_33 = strip.x + 2 * plan.strip_block_pitch + 1.5f * plan.strip_bar_pitch;
    CHECK(hit({at_33, strip.y + 3}).token == TokenAt{b, 33});
    CHECK(hit({5, strip.y + 3}).tag == b);
}
