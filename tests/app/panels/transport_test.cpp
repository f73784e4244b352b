// The timeline's plan, what the events say over time, and the words of a step.

#include <catch2/catch_test_macros.hpp>

#include "app/panels/timeline/plan.hpp"
#include "app/panels/timeline/sentences.hpp"
#include "app/panels/timeline/step_words.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("a high timeline has lanes, ticks, marks and two zoom rows, in order", "[transport]") {
    for (const float unit : {0.8f, 1.0f, 2.0f}) {
        const Vec2 room{1200 * unit, 200 * unit};
        const Timeline plan = plan_timeline(
            {.room = room, .unit = unit, .n_requests = 4, .n_iterations = 48, .n_layers = 4});
        REQUIRE(plan.tall);
        CHECK(plan.n_lanes == 4);
        CHECK(plan.ticks->bottom() <= plan.lanes.y);
        CHECK(plan.lane(3, true, 1, 1).bottom() <= plan.marks->y + 1);
        CHECK(plan.marks->bottom() <= plan.layers->y);
        CHECK(plan.layers->bottom() <= plan.ops->y);
        CHECK(plan.ops->bottom() == room.y);
        CHECK(plan.x_of(1) == plan.lanes.x);
        CHECK(plan.x_of(49) == plan.lanes.right());
    }
}

TEST_CASE("a low timeline holds as many lanes as it has pixels", "[transport]") {
    const Timeline few = plan_timeline(
        {.room = {1880, 30}, .unit = 1, .n_requests = 7, .n_iterations = 126, .n_layers = 4});
    CHECK_FALSE(few.tall);
    CHECK(few.n_lanes == 7);
    CHECK(few.lane(6, true, 1, 126).bottom() <= 30);
    const Timeline many = plan_timeline(
        {.room = {1880, 30}, .unit = 1, .n_requests = 500, .n_iterations = 126, .n_layers = 4});
    CHECK(many.n_lanes == 30);
}

TEST_CASE("every pixel of the timeline belongs to one iteration", "[transport]") {
    const Timeline plan = plan_timeline(
        {.room = {1000, 40}, .unit = 1, .n_requests = 2, .n_iterations = 7, .n_layers = 4});
    for (std::uint32_t i = 1; i <= 7; ++i) {
        CHECK(plan.iteration_at(plan.x_of(i) + 1) == i);
        CHECK(plan.iteration_at(plan.x_of(i + 1) - 1) == i);
    }
    CHECK(plan.iteration_at(-50) == 1);
    CHECK(plan.iteration_at(5'000) == 7);
    // Odd rooms and an empty run are planned too.
    for (const Vec2 room : {Vec2{0, 0}, Vec2{1, 1}, Vec2{4'000, 3'000}})
        CHECK(plan_timeline({.room = room, .unit = 1}).iteration_at(3) == 1);
}

TEST_CASE("ticks keep their distance whatever the length of the run", "[transport]") {
    for (const std::uint32_t n : {1u, 48u, 1'000u, 100'000u}) {
        const Timeline plan = plan_timeline(
            {.room = {1200, 200}, .unit = 1, .n_requests = 1, .n_iterations = n, .n_layers = 4});
        const float distance = plan.x_of(1.0 + plan.tick_step) - plan.x_of(1);
        if (n > 1) CHECK(distance >= 40);
    }
}

TEST_CASE("zoom cells fill their row without touching", "[transport]") {
    const Rect row{52, 100, 1'000, 22};
    for (const std::size_t n : {1u, 4u, 6u, 80u}) {
        const auto cells = zoom_cells(row, n, 2);
        REQUIRE(cells.size() == n);
        CHECK(cells.front().rect.x == row.x);
        CHECK(cells.back().rect.right() == row.right());
        for (std::size_t i = 1; i < n; ++i) CHECK(cells[i].rect.x - cells[i - 1].rect.right() == 2);
    }
}

// In the Learn scene D reads 96 tokens in two steps of 64 and 32 and then writes 32 more.
TEST_CASE("the history says who read and who wrote when", "[transport]") {
    PlayedRun run(scene_named("learn"));
    run.session.to_end();
    RunHistory history;
    history.catch_up(1, run.session.trace());
    REQUIRE(history.lanes().size() == 4);
    REQUIRE(history.lanes()[0].size() == 2);
    CHECK(history.lanes()[0][0] == RunSpan{1, 2, true});
    CHECK(history.lanes()[0][1] == RunSpan{3, 34, false});
    CHECK(history.lanes()[3][0] == RunSpan{37, 37, true});
    CHECK(history.last_iteration() == 48);
}

TEST_CASE("a history read in pieces is the history read at once", "[transport]") {
    PlayedRun run(scene_named("explore"));
    RunHistory pieces;
    while (run.session.forward(Granularity::Iteration)) pieces.catch_up(7, run.session.trace());
    RunHistory whole;
    whole.catch_up(7, run.session.trace());
    CHECK(pieces.lanes() == whole.lanes());
    CHECK(pieces.marks() == whole.marks());
    // Another run starts afresh.
    PlayedRun other(scene_named("first"));
    other.session.to_end();
    pieces.catch_up(8, other.session.trace());
    CHECK(pieces.lanes().size() == 1);
}

TEST_CASE("a step says who reads and who writes", "[transport]") {
    const Texts text;
    PlayedRun run(scene_named("learn"));
    const auto said = [&](PlayedRun& played) {
        RunHistory history;
        history.catch_up(1, played.session.trace());
        return step_sentence(text, played.view(), history);
    };
    run.session.to_iteration(37);
    CHECK(said(run) == "A prefills 6 tokens; C and B decode one token each");
    run.session.to_iteration(39);
    CHECK(said(run) == "C, B and A decode one token each");
    run.session.to_iteration(1);
    CHECK(said(run) == "D prefills 64 tokens");
    run.session.to_moment(0);
    CHECK(said(run).empty());
}

TEST_CASE("the position names layer and operation in the middle of a step", "[transport]") {
    const Texts text;
    PlayedRun run(scene_named("learn"));
    run.session.to_iteration(38);
    CHECK(position_words(text, run.view()).empty());
    for (int i = 0; i < 4; ++i) run.session.forward(Granularity::Operation);
    const auto words = position_words(text, run.view());
    REQUIRE(words.size() == 2);
    CHECK(words[0].value == "0");
    CHECK(words[1].value == "3");
    CHECK(words[1].rest == "of 6");
}

TEST_CASE("every event of every shipped scene has a sentence and a reason", "[events]") {
    const Texts text;
    for (const char* scene : {"learn", "explore", "paper-figure-8"}) {
        PlayedRun run(scene_named(scene));
        run.session.to_end();
        const Trace& trace = run.session.trace();
        trace.each(0, trace.size(), [&](std::uint64_t, const Event& event) {
            if (!mark_of(event)) return;
            const EventSentence sentence = sentence_of(text, trace.end(), event);
            CHECK(sentence.what.find('{') == std::string::npos);
            CHECK(sentence.why.starts_with("because "));
            CHECK(sentence.why.size() > 12);
        });
    }
}

TEST_CASE("names of thin lanes stand clear of each other, the first ones first", "[transport]") {
    const Timeline plan = plan_timeline(
        {.room = {1000, 32}, .unit = 1, .n_requests = 3, .n_iterations = 100, .n_layers = 4});
    REQUIRE_FALSE(plan.tall);
    // Three bars: two begin together, the third is gone before there is room for its name.
    const std::vector<LaneBar> bars{{1, 1, 50}, {0, 1, 50}, {2, 1, 2}};
    const auto names = place_lane_names(plan, bars, {14, 32, 2});
    REQUIRE(names.size() == 2);
    CHECK(names[0].row == 1);
    CHECK(names[0].rect.x == 0);
    CHECK(names[1].row == 0);
    CHECK(names[1].rect.x == 16);
    for (const LaneName& name : names) CHECK(name.rect.bottom() <= 32);
}

TEST_CASE("a reason is translated by its English words with their places", "[transport]") {
    const NameOfRequest name = [](SeqId id) { return "<" + std::to_string(id.value) + ">"; };
    Texts german;
    german.translate(
        "phrase:it needs {a} {a:block|blocks} at its longest and the pool has {b} = "
        "der Pool hat {b}, und gebraucht {a:wird|werden} {a}\n"
        "phrase:request {r} goes on = {r} geht weiter\n"
        "phrase:of another server = eines anderen Servers\n",
        "de.txt");
    CHECK(reason_in(german, Reason::never_fits(1200, 8), name) ==
          "der Pool hat 8, und gebraucht werden 1,200");
    CHECK(reason_in(german, Reason::never_fits(1, 0), name) ==
          "der Pool hat 0, und gebraucht wird 1");
    CHECK(reason_in(german, {Why::ComesBack, SeqId(4)}, name) == "<4> geht weiter");
    CHECK(reason_in(german, {Why::ComesBack}, name) == "eines anderen Servers geht weiter");
    // What has no translation stays English, and is what the trace says.
    const Reason computed = Reason::computed(1);
    CHECK(reason_in(german, computed, name) == "all layers computed 1 token");
    CHECK(reason_in(german, computed, name) == text_of(computed, name));
}
