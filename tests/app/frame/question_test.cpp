// Which commands ask before own work goes, by the state alone, and the card that asks.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "tests/app/seen.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

AppState with_work(OwnWork work) {
    AppState state;
    state.run.exists = true;
    state.asks_first = true;
    state.run.own_work = work;
    return state;
}

bool asks(OwnWork work, const char* words) {
    AppState state = with_work(work);
    std::string why;
    apply(state, *parse_command(words, why));
    return state.question.has_value();
}

constexpr OwnWork kSentence{.sentence = true}, kRequest{.commands = 1}, kSetting{.settings = true};

struct Asked : WindowBench {
    explicit Asked(PixelSize size) : WindowBench(size) {
        state().question = DropQuestion{{"app.quit", {}}};
        state().run.own_work = {.sentence = true, .commands = 2, .settings = true};
        written();
    }
};

}  // namespace

TEST_CASE("what drops a run asks first where there is own work", "[question]") {
    for (const char* words : {"app.quit", "file.open_scene needle", "minute.start", "lesson.open 3",
                              "lesson.continue", "lesson.museum", "lesson.next", "lesson.reload"})
        for (const OwnWork& work : {kSentence, kRequest, kSetting}) {
            INFO(words);
            CHECK(asks(work, words));
            CHECK_FALSE(asks({}, words));
        }
    for (const char* words :
         {"run.add Hello", "run.set block_size 8", "layout.learn", "run.restart", "lesson.go_on",
          "file.save_scene a.kvscene", "run.undo_set"}) {
        INFO(words);
        CHECK_FALSE(asks(kRequest, words));
    }
    CHECK_FALSE(asks(kSentence, "start.sentence Hello"));
    CHECK(asks(kSetting, "start.sentence Hello"));
}

TEST_CASE("in front of an audience only what leaves the page asks", "[question]") {
    AppState state = with_work(kRequest);
    state.run.lesson.open = true;
    apply(state, {"lesson.go_on", {}});
    CHECK_FALSE(state.question);
    state.run.lesson.leaves_on = true;
    apply(state, {"lesson.go_on", {}});
    CHECK(state.question);
}

TEST_CASE("a script is not asked, and an answer without a question is refused", "[question]") {
    AppState state = with_work(kRequest);
    state.asks_first = false;
    apply(state, {"app.quit", {}});
    CHECK(state.quit);
    CHECK_THROWS_AS(apply(state, {"question.drop", {}}), Error);
}

TEST_CASE("the question is answered by keys, and Esc keeps the work", "[question]") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1920, 1080}}) {
        Asked saved(size);
        CHECK(says(saved.written(), "Save your work before the window closes?"));
        saved.press(ImGuiKey_Enter);
        CHECK(saved.state().palette.pending == "file.save_scene");
        CHECK(saved.state().palette.query.ends_with(".kvscene"));
        CHECK_FALSE(saved.state().quit);
        Asked dropped(size);
        dropped.press(ImGuiKey_D);
        CHECK(dropped.state().quit);
        Asked kept(size);
        kept.press(ImGuiKey_Escape);
        CHECK_FALSE(kept.state().quit);
        CHECK_FALSE(kept.state().question);
    }
}

TEST_CASE("who gives up choosing a file is asked again", "[question]") {
    Asked asked({1280, 720});
    asked.press(ImGuiKey_Enter);
    REQUIRE(asked.state().palette.open);
    CHECK(asked.state().question->saving);
    asked.press(ImGuiKey_Escape);
    REQUIRE(asked.state().question);
    CHECK_FALSE(asked.state().question->saving);
    CHECK(says(asked.written(), "Save your work before the window closes?"));
}
