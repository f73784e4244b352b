// The page of the first start in the whole window: what its keys do, and that the run below it
// stays as it is.

#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "app/frame/dock/dock.hpp"
#include "tests/app/seen.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct StartWindow : WindowBench {
    explicit StartWindow(PixelSize size = {1920, 1080}, float text_scale = 1)
        : WindowBench(size, opened(text_scale)) {
        open("first");
        settle();
    }
    static AppState opened(float text_scale) {
        AppState state = with_text_scale(text_scale);
        state.settings.reduced_motion = true;
        apply(state, {"window.first_start", {}});
        return state;
    }
    StartUi& start() { return state().start; }
};

}  // namespace

TEST_CASE("Enter and 1 show, 2 teaches, and both leave the page", "[start][run_window]") {
    for (const ImGuiKey key : {ImGuiKey_Enter, ImGuiKey_1, ImGuiKey_Keypad1}) {
        StartWindow window;
        REQUIRE(window.start().open);
        window.press(key);
        CHECK_FALSE(window.start().open);
        CHECK(window.run().scene == "The first minute");
        CHECK(window.run().now.iteration == 1);
        CHECK(window.state().layout == LayoutName::Explore);
        CHECK(window.state().settings.first_start_done);
    }
    StartWindow window;
    window.press(ImGuiKey_2);
    CHECK_FALSE(window.start().open);
    CHECK(window.lesson().lesson == window.lesson().shelf.front().number);
}

TEST_CASE("any letter begins a sentence; then digits and spaces are text, and Enter runs it",
          "[start][run_window]") {
    StartWindow window;
    window.type("Anna put 2 rings");
    CHECK(window.start().open);
    CHECK(window.start().sentence == "Anna put 2 rings");
    CHECK(window.start().in_field);
    CHECK(window.run().now.iteration == 4);  // of the scene first: no key reached it
    window.press(ImGuiKey_1);
    CHECK(window.start().open);
    window.press(ImGuiKey_Enter);
    CHECK_FALSE(window.start().open);
    CHECK(window.run().scene == "Own sentence");
    CHECK(window.run().now.iteration == 1);
    CHECK(window.state().layout == LayoutName::Explore);
    window.settle();
    CHECK(says(window.written(), "Anna"));
}

TEST_CASE("behind a sentence Right lets it answer, and F1 shows the lessons",
          "[start][run_window]") {
    StartWindow window({1280, 720});
    window.type("Anna put the key in the barn.");
    window.press(ImGuiKey_Enter);
    REQUIRE(window.run().now.iteration == 1);
    window.settle();
    window.press(ImGuiKey_RightArrow);
    CHECK(window.run().now.iteration == 2);
    window.press(ImGuiKey_F1);
    CHECK(panel_in_view(LayoutName::Learn, PanelId::Lesson));
}

TEST_CASE("3 puts the keyboard into the field, Esc takes it back and keeps the words",
          "[start][run_window]") {
    StartWindow window;
    window.press(ImGuiKey_3);
    CHECK(window.start().has_keyboard);
    CHECK(window.start().sentence.empty());
    window.press(ImGuiKey_Enter);  // nothing to read
    CHECK(window.start().open);
    CHECK(window.start().problem.english() == Said("refused.sentence.empty"_t).english());
    window.press(ImGuiKey_3);
    window.type("the key");
    CHECK(window.start().problem.empty());
    window.press(ImGuiKey_Escape);
    CHECK(window.start().open);
    CHECK_FALSE(window.start().in_field);
    CHECK(window.start().sentence == "the key");
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.start().open);
    CHECK(window.run().now.iteration == 4);  // the window as it was
}

TEST_CASE("Space stops the picture and reaches no run", "[start][run_window]") {
    StartWindow window;
    CHECK(window.start().playing);
    window.press(ImGuiKey_Space);
    CHECK_FALSE(window.start().playing);
    CHECK(window.start().open);
    window.press(ImGuiKey_RightArrow);
    window.press(ImGuiKey_Space);
    CHECK(window.start().playing);
    CHECK_FALSE(window.state().run.playback.playing);
    CHECK(window.run().now.iteration == 4);
}

TEST_CASE("keys of the window work on the page, keys of the run do not", "[start][run_window]") {
    StartWindow window;
    window.press(ImGuiKey_P, ImGuiMod_Ctrl);
    CHECK(window.state().palette.open);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.state().palette.open);
    CHECK(window.start().open);
    window.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    window.press(ImGuiKey_End);
    CHECK(window.run().now.iteration == 4);
    window.press(ImGuiKey_F1);
    CHECK_FALSE(window.start().open);
    CHECK(window.state().layout == LayoutName::Learn);
}

TEST_CASE("the page says what it is at every size and text scale", "[start][run_window]") {
    struct At {
        PixelSize size;
        float text;
        bool picture;
    };
    for (const At& at :
         {At{{1280, 720}, 1, true}, At{{1600, 900}, 1, true}, At{{1920, 1080}, 1, true},
          At{{2560, 1440}, 1, true}, At{{1920, 1080}, 3, false}, At{{1280, 720}, 2, false},
          At{{1280, 720}, 0.8f, true}}) {
        INFO(at.size.w << " x " << at.size.h << " text " << at.text);
        StartWindow window(at.size, at.text);
        const auto written = window.written();
        CHECK(says(written, "Show me"));
        CHECK(says(written, "Learn"));
        CHECK(says(written, "Try my own sentence"));
        CHECK(says(written, "step 6 of 6") == at.picture);
        CHECK(says(written, "19 tokens") == at.picture);
    }
}
