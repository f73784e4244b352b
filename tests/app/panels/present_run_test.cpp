#include <catch2/catch_test_macros.hpp>

#include "app/panels/present/run/plan.hpp"
#include "app/panels/present/run/words.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("the picture stands as it was designed", "[present]") {
    const PresentRunPlan plan = plan_present_run({0, 0, 1920, 1080}, {16, 3, 2, 48});
    CHECK(plan.unit == 1);
    REQUIRE(plan.columns.size() == 1);
    CHECK(plan.columns[0].stage.rows.size() == 3);
    CHECK(plan.caption.y == 840);
    CHECK(plan.pool.x == 48);
    CHECK(plan.pool.right() < plan.chart.x);
    CHECK(plan.chart.right() == 1872);
    // Rows end above the band in which the lines turn, and that one above the pool.
    const RowColumn& column = plan.columns[0];
    const float rows_end = column.origin.y + column.stage.chips.y + column.stage.chips.h;
    CHECK(rows_end <= plan.pool_head.y);
    CHECK(plan.pool_head.bottom() <= plan.band_y);
    CHECK(plan.band_y < plan.pool.y);
}

TEST_CASE("pages of four stand in two columns, and none of five is folded", "[present]") {
    const PresentRunPlan plan = plan_present_run({0, 0, 1920, 1080}, {4, 5, 0, 12});
    REQUIRE(plan.columns.size() == 2);
    std::vector<std::uint32_t> entries;
    for (const RowColumn& column : plan.columns)
        for (const StageRow& row : column.stage.rows) {
            CHECK(row.left_out == 0);
            entries.push_back(row.entry);
        }
    CHECK(entries == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    // Both halves of the picture are used, and the second begins behind the lines of the first.
    const RowColumn &left = plan.columns[0], &right = plan.columns[1];
    const float lines_end = left.origin.x + left.stage.first_track +
                            left.stage.track_pitch * static_cast<float>(left.stage.n_tracks);
    CHECK(lines_end <= right.origin.x);
    CHECK(right.origin.x < 1000);
    CHECK(right.origin.x + right.stage.first_track > 1700);
}

TEST_CASE("many rows are shown as far as they fit, with the one in question", "[present]") {
    for (const std::uint32_t size : {1u, 2u, 4u, 16u}) {
        const PresentRunPlan plan = plan_present_run({0, 0, 1920, 1080}, {size, 90, 79, 100});
        bool has_last = false;
        for (const RowColumn& column : plan.columns) {
            for (const StageRow& row : column.stage.rows)
                has_last = has_last || (row.left_out == 0 && row.entry == 79);
            CHECK(column.origin.y + column.stage.chips.y + column.stage.chips.h <=
                  plan.pool_head.y + 1);
        }
        INFO("pages of " << size);
        CHECK(has_last);
    }
}

// 12 blocks need two lines and leave room for more rows; 48 need four. Where rows are left out on
// one side alone, one quiet line takes the place of one.
TEST_CASE("rows are folded only where the pool needs their room", "[present]") {
    const auto shown = [](const PresentRunNeeds& needs) {
        std::size_t n = 0;
        for (const RowColumn& column : plan_present_run({0, 0, 1920, 1080}, needs).columns)
            for (const StageRow& row : column.stage.rows) n += row.left_out == 0 ? 1 : 0;
        return n;
    };
    CHECK(shown({16, 5, 4, 12}) == 5);
    CHECK(shown({4, 13, 12, 24}) == 13);
    CHECK(shown({16, 9, 8, 12}) >= 6);
    CHECK(shown({16, 9, 8, 48}) == 3);
}

TEST_CASE("every size gives a plan whose parts stand under one another", "[present]") {
    for (const Rect room : {Rect{0, 0, 1, 1}, Rect{0, 0, 320, 200}, Rect{0, 0, 1280, 720},
                            Rect{10, 20, 1024, 768}, Rect{0, 0, 4000, 3000}})
        for (const std::uint32_t size : {1u, 4u, 16u, 64u, 1024u})
            for (const float scale : {0.8f, 1.0f, 3.0f}) {
                const PresentRunPlan plan = plan_present_run(room, {size, 40, 20, 48}, {scale, 0});
                INFO(room.w << "x" << room.h << " pages of " << size << " at " << scale);
                CHECK(plan.title.bottom() <= plan.pool_head.y);
                CHECK(plan.pool_head.y <= plan.pool.y);
                if (room.h > 300) CHECK(plan.pool.bottom() <= plan.rule_y + 1);
                CHECK(plan.rule_y <= plan.caption.y);
                for (const RowColumn& column : plan.columns) CHECK(column.stage.chip_w > 0);
                CHECK(plan.unit > 0);
            }
}

TEST_CASE("a line goes right, through the band, and into the side of its block", "[present]") {
    const PresentRunPlan plan = plan_present_run({0, 0, 1920, 1080}, {16, 3, 2, 48});
    const RowColumn& column = plan.columns[0];
    const Rect entry{1700, 120, 72, 46}, cell{600, 500, 86, 78};
    const auto path = present_line(plan, column, entry, cell, 10, {0, 0, 0});
    REQUIRE(path.size() == 6);
    CHECK(path.front() == Vec2{1772, 143});
    CHECK(path.back() == Vec2{600, 539});
    for (std::size_t i = 1; i < path.size(); ++i)  // level or upright
        CHECK((path[i].x == path[i - 1].x || path[i].y == path[i - 1].y));
    CHECK(path[4].x == 595);  // in the middle of the gap
    // The next line stands in another track and another height of the band.
    const auto next = present_line(plan, column, entry, cell, 10, {1, 1, 1});
    CHECK(next[1].x < path[1].x);
    CHECK(next[2].y < path[2].y);
    CHECK(next[4].x < path[4].x);
}

TEST_CASE("the caption says what the table holds", "[present]") {
    const Texts text;
    ToldRun told(8, 16);
    const SeqId a = told.add(41, 40, {1, 2, 4});
    RunFocus focus;
    focus.request = a;
    PresentRunWords words = present_run_words(told.view(), focus, text);
    CHECK(words.caption == "40 tokens need 3 pages.");
    // 3 pages of 16 are 48 slots.
    CHECK(words.prose[0] ==
          "Pages arrive one at a time, so only the last page can hold empty slots: here 8 of 16.");
    // 41 tokens of prompt and 8 new ones, the last of which is never stored: 48 in 3 pages.
    CHECK(words.prose[1] ==
          "Room for its longest answer, 48 tokens, would take 3 pages from the start.");

    const SeqId b = told.add(34, 33, {1, 2, 5});
    words = present_run_words(told.view(), focus, text);
    CHECK(words.prose[1] == "The first 2 pages are shared with request B.");
    focus.request = b;
    CHECK(present_run_words(told.view(), focus, text).prose[1] ==
          "The first 2 pages are shared with request A.");
}

TEST_CASE("a request that holds nothing is not said to hold something", "[present]") {
    const Texts text;
    ToldRun told(8, 16);
    RunFocus focus;
    CHECK(present_run_words(told.view(), focus, text).caption == "No request has arrived yet.");
    told.add(20, 0, {});
    const PresentRunWords words = present_run_words(told.view(), focus, text);
    CHECK(words.caption == "A waits.");
    CHECK(words.prose[0] == "It has 20 tokens to read, and holds no page yet.");
}

TEST_CASE("a fork that waits holds the pages that it shares", "[present]") {
    PlayedRun run(scene_named("explore"));
    run.session.to_iteration(112);
    REQUIRE_FALSE(run.session.command(ForkRequest{"A", "E2"}));
    run.session.to_iteration(113);
    const RunView view = run.view();
    RunFocus focus;
    focus.request = SeqId(static_cast<std::uint32_t>(view.now.requests.size() - 1));
    REQUIRE(view.now.requests.back().name == "E2");
    REQUIRE(view.now.requests.back().state == RequestState::Waiting);
    const PresentRunWords words = present_run_words(view, focus, Texts());
    CHECK(words.caption == "E2 waits.");
    for (const Text& line : words.prose) {
        CHECK(line.find("no page") == Text::npos);
        CHECK(line.find("It has 41") == Text::npos);
    }
}

TEST_CASE("a full last page is not said to have empty slots", "[present]") {
    const Texts text;
    ToldRun told(8, 16);
    RunFocus focus;
    focus.request = told.add(33, 32, {1, 2});
    const PresentRunWords words = present_run_words(told.view(), focus, text);
    CHECK(words.caption == "32 tokens need 2 pages.");
    CHECK(words.prose[0].find("empty") == std::string::npos);
}
