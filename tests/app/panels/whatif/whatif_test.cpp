// The pure halves of the panel What if: where its parts stand, the axis of memory, and its words.

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/panels/tables/tables.hpp"
#include "app/panels/whatif/choice_words.hpp"
#include "app/panels/whatif/plan.hpp"

using namespace kv;
using Catch::Approx;

namespace {

WhatIfPoint point_of(u64 pool, u64 hit) {
    WhatIfPoint point;
    point.pool = point.blocks = pool;
    point.bytes = pool << 20;
    point.outcome.asked_tokens = 1000;
    point.outcome.hit_tokens = hit;
    point.outcome.again_tokens = 900 - hit;
    point.first_token = FirstTokenSeconds{0.0159, 0.03, 0.164};
    return point;
}

WeighedRecording weighed_by_hand() {
    WeighedRecording weighed;
    weighed.summary.today = {1024, TodayFrom::ServerMetrics};
    weighed.summary.at_today = point_of(1024, 600);
    weighed.summary.twice = point_of(2048, 800);
    weighed.summary.knee = point_of(3000, 855);
    weighed.summary.without_end = point_of(8192, 900);
    weighed.summary.distinct = 8192;
    weighed.summary.requests = 40;
    weighed.summary.seconds = 10;
    weighed.summary.by_server = {1000, 621};
    weighed.curves.push_back({WhatIfLine::Recorded,
                              {point_of(512, 300), point_of(1024, 600), point_of(8192, 900)},
                              point_of(1024, 600)});
    return weighed;
}

// Three block sizes, of which the last does not fit in half of the memory.
WhatIfChoices sizes_by_hand() {
    WhatIfChoices choices;
    for (const std::uint32_t size : {8u, 16u, 32u}) {
        WhatIfChoice choice;
        choice.setting.block_size = size;
        choice.most = 0.9;
        for (std::size_t i = size == 32 ? 1 : 0; i < choice.points.size(); ++i) {
            choice.points[i] = point_of(u64{1024} * 16 / size, 300 * (i + 1) - size);
            choice.points[i]->setting = choice.setting;
        }
        choices.push_back(choice);
    }
    return choices;
}

bool rects_meet(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

TEST_CASE("the parts of What if stand beside each other in any room", "[whatif]") {
    for (const Vec2 room : {Vec2{1912, 1032}, Vec2{1272, 672}, Vec2{1000, 500}, Vec2{700, 400}}) {
        CAPTURE(room.x, room.y);
        const WhatIfPlan plan = plan_whatif(room);
        const WhatIfPlan two_lines = plan_whatif(room, 2);
        CHECK(two_lines.answer.h == plan.answer.h + plan.answer_line);
        CHECK(two_lines.curve.y == plan.curve.y + plan.answer_line);
        const std::array parts{plan.answer,      plan.curve,  plan.again,
                               plan.first_token, plan.points, plan.assumptions};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            CHECK(parts[i].w > 200);
            CHECK(parts[i].h > 60);
            CHECK(parts[i].right() <= room.x);
            CHECK(parts[i].bottom() <= plan.height);
            for (std::size_t k = 0; k < i; ++k) CHECK_FALSE(rects_meet(parts[i], parts[k]));
        }
        // A wide and high room is filled and not scrolled.
        if (room.x >= 900 && room.y >= 672) CHECK(plan.height == room.y);
    }
}

TEST_CASE("a doubling of memory is as wide wherever it is", "[whatif]") {
    const WeighedRecording weighed = weighed_by_hand();
    const MemoryPlot plot = memory_plot(weighed, {100, 0, 400, 200});
    const auto mib = [](double n) { return n * 1024 * 1024; };
    CHECK(plot.x(mib(512)) == Approx(100));
    CHECK(plot.x(mib(1024)) == Approx(200));
    CHECK(plot.x(mib(2048)) == Approx(300));
    CHECK(plot.x(mib(8192)) == Approx(500));
    const std::vector<MemoryTick> ticks = memory_ticks(weighed);
    REQUIRE(ticks.size() == 5);
    CHECK((ticks[0].factor == 0.5 && ticks[0].blocks == 512));
    CHECK((ticks[4].factor == 8 && ticks[4].blocks == 8192));
}

TEST_CASE("the axis of rates has tens of percent around all curves", "[whatif]") {
    const WeighedRecording weighed = weighed_by_hand();
    MemoryPlot plot = memory_plot(weighed, {0, 0, 100, 700});
    fit_rates(weighed, plot);
    CHECK(plot.low == Approx(0.2));  // 30 % stands a little above its edge
    CHECK(plot.high == Approx(1.0));
    CHECK(plot.y(1.0) == Approx(0));
    CHECK(plot.y(0.2) == Approx(700));
    CHECK(round_step(4700, 4) == Approx(2000));
    CHECK(round_step(300, 4) == Approx(100));
    CHECK(round_step(0.9, 4) == Approx(0.25));
}

TEST_CASE("the answer is one sentence with its numbers", "[whatif]") {
    const Texts text;
    WeighedRecording weighed = weighed_by_hand();
    CHECK(std::string(answer_words(text, weighed)) ==
          "Twice the pool raises the prefix hit rate from 60.0 % to 80.0 % and spares the card 20 "
          "tokens of prefill a second.");
    weighed.summary.seconds = 0;
    CHECK(std::string(answer_words(text, weighed)) ==
          "Twice the pool raises the prefix hit rate from 60.0 % to 80.0 % and spares 200 tokens "
          "of prefill.");
    weighed.summary.twice = weighed.summary.at_today;
    CHECK(std::string(answer_words(text, weighed)).find("changes nothing") != std::string::npos);
    weighed.summary.at_today.reset();
    CHECK(std::string(answer_words(text, weighed)).find("3,000 blocks of 16 reach 85.5 %") == 0);
}

TEST_CASE("the best block size or order is named with what it spares", "[whatif]") {
    const Texts text;
    WeighedRecording weighed = weighed_by_hand();
    WhatIfChoices choices = sizes_by_hand();
    const auto answer = [&](WhatIfView view) {
        return std::string(choice_answer(text, weighed, view, choices));
    };
    // 592 of 1,000 tokens and not 584: 8 in ten seconds, which is nearly one a second.
    CHECK(answer(WhatIfView::BlockSize) ==
          "Blocks of 8 raise the prefix hit rate from 58.4 % to 59.2 % in the memory you have: 1 "
          "token of prefill a second less.");
    weighed.summary.seconds = 100;
    CHECK(answer(WhatIfView::BlockSize).find(": 8 tokens of prefill less.") != std::string::npos);
    choices.erase(choices.begin());
    CHECK(answer(WhatIfView::BlockSize) ==
          "No other block size finds more than 16 in the memory you have: 58.4 %.");
    CHECK(answer(WhatIfView::Order) ==
          "No other order finds more than lru in the memory you have: 58.4 %.");
    weighed.summary.at_today.reset();  // nobody knows today's pool
    CHECK(answer(WhatIfView::BlockSize).find("in 1.0 GiB: 58.4 %.") != std::string::npos);
    choices.erase(choices.begin());
    CHECK(answer(WhatIfView::BlockSize).empty());
}

TEST_CASE("every order says what it gives up first", "[whatif]") {
    const Texts text;
    for (const ReplayOrder& order : replay_orders()) {
        WhatIfSetting setting;
        setting.order = order;
        CHECK(std::string(choice_words(text, WhatIfView::Order, setting))
                  .find(std::string(order.name) + ": ") == 0);
    }
}

TEST_CASE("choices stand beside each other, with tens of percent around all of them", "[whatif]") {
    const WhatIfChoices choices = sizes_by_hand();
    MemoryPlot plot{{100, 0, 300, 700}};
    fit_choices(choices, plot);
    CHECK(plot.low == Approx(0.2));   // 284 of 1,000
    CHECK(plot.high == Approx(1.0));  // 90 %, if nothing were removed
    CHECK(choice_x(plot.plot, 0, 3) == Approx(150));
    CHECK(choice_x(plot.plot, 2, 3) == Approx(350));
}

TEST_CASE("a choice that has no room has a row of dashes, and the recorded one no change",
          "[whatif]") {
    const Texts text;
    const WeighedRecording weighed = weighed_by_hand();
    const WhatIfChoices choices = sizes_by_hand();
    const auto row = [&](const std::optional<WhatIfPoint>& point, bool is_base) {
        return choice_row(text, weighed, Text("blocks"), point, is_base).cells;
    };
    CHECK(row(choices[0].here(), false)[3].words == "59.2 %");
    CHECK(row(choices[0].here(), false)[4].words == "-0.8");
    CHECK(row(choices[1].here(), true)[4].words.empty());
    const auto none = row(choices[2].points[0], false);
    CHECK(none.size() == point_heads(text, weighed).size());
    CHECK(none[3].words == "–");
}

TEST_CASE("tables hold what was looked at, what is in view first", "[whatif]") {
    const Texts text;
    WhatIfUi own;
    own.weighed = std::make_shared<const WeighedRecording>(weighed_by_hand());
    CHECK(whatif_tables(own, text).size() == 2);
    own.sides[static_cast<std::size_t>(WhatIfView::BlockSize)].choices =
        std::make_shared<const WhatIfChoices>(sizes_by_hand());
    CHECK(whatif_tables(own, text).back().name == "block_sizes");
    own.view = WhatIfView::BlockSize;
    const DataTables tables = whatif_tables(own, text);
    CHECK(tables.front().name == "block_sizes");
    CHECK(tables.front().rows.size() == 8);  // one of nine has no room
}

TEST_CASE("the first check says by how much today's pool differs", "[whatif]") {
    const Texts text;
    WeighedRecording weighed = weighed_by_hand();
    CHECK(std::string(check_words(text, weighed)) == "2.1 points below at today's pool");
    weighed.summary.by_server = {1000, 600};
    CHECK(std::string(check_words(text, weighed)) == "equal at today's pool");
    weighed.summary.by_server.reset();
    CHECK(std::string(check_words(text, weighed)) == "nothing to check against");
}

TEST_CASE("numbers are written as a person writes them", "[whatif]") {
    CHECK(share_words(0.7564) == "75.6 %");
    CHECK(points_words(10.68) == "+10.7");
    CHECK(points_words(-0.02) == "0.0");
    CHECK(pool_bytes_words(u64{51} << 30) == "51 GiB");
    CHECK(pool_bytes_words(u64{5} << 30) == "5.0 GiB");
    CHECK(pool_bytes_words(u64{300} << 20) == "300 MiB");
    CHECK(ms_words(0.0159) == "15.9");
    CHECK(ms_words(0.1644) == "164");
    CHECK(times_words(0.5) == "0.5");
    CHECK(times_words(1.79) == "1.79");
    CHECK(times_words(2) == "2");
    CHECK(times_words(16) == "16");
}

TEST_CASE("every row of the points has a cell for every head", "[whatif]") {
    const Texts text;
    const WeighedRecording weighed = weighed_by_hand();
    const WhatIfRow today{WhatIfLine::Recorded, 1, false, *weighed.summary.at_today};
    const WhatIfRow never{WhatIfLine::Recorded, 0, true, weighed.summary.without_end};
    CHECK(point_row(text, weighed, today).cells.size() == point_heads(text, weighed).size());
    CHECK(point_row(text, weighed, today).cells[0].words == "today, as recorded");
    CHECK(point_row(text, weighed, today).cells[3].words == "60.0 %");
    CHECK(point_row(text, weighed, never).cells[4].words == "+30.0");
    CHECK(point_row(text, weighed, never).cells[6].words == "0.0");
}
