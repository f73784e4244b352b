// Compare in the whole window: the way from a difference to its event, rows that scroll under the
// wheel, and zooming that fades.
#include <imgui.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/cli/screen/screen.hpp"
#include "app/panels/stage/ui.hpp"
#include "app/widgets/paint/paint.hpp"

using namespace kv;

namespace {

struct PairWindow {
    Screen screen;
    PairWindow(const char* scene, PixelSize size, const std::string& layout = {})
        : screen(open_null(size), {}, Texts()) {
        screen.open_scene(std::string(KVARIUM_SOURCE_DIR) + "/assets/scenes/" + scene + ".kvscene",
                          {});
        screen.finish_run();
        ask("layout." + (layout.empty() ? scene : layout));
    }
    AppState& state() { return screen.frame().state(); }
    void ask(const std::string& words) {
        std::string why;
        apply_or_explain(state(), *parse_command(words, why));
        settle();
    }
    void settle() {
        for (int i = 0; i < 2; ++i) screen.draw(true), screen.finish_run();
    }
    std::vector<WrittenText> written() {
        std::vector<WrittenText> all;
        settle();
        screen.draw(false, 1, &all);
        return all;
    }
    void click(const Rect& r) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(r.center().x, r.center().y);
        settle();
        io.AddMouseButtonEvent(0, true);
        screen.draw(true);
        io.AddMouseButtonEvent(0, false);
        screen.draw(true);
        settle();
    }
};

}  // namespace

TEST_CASE("the note of a difference leads to the event log", "[pair_window]") {
    PairWindow window("compare", {1920, 1080});
    const std::vector<WrittenText> written = window.written();
    const auto link = std::find_if(written.begin(), written.end(), [](const WrittenText& text) {
        return text.text == "Show in the Event log";
    });
    REQUIRE(link != written.end());
    window.click(link->rect);
    CHECK(window.state().layout == LayoutName::Explore);
}

TEST_CASE("the wheel moves the rows of both sides, and the cursor brings them back",
          "[pair_window]") {
    PairWindow window("compare", {1280, 720});
    PairUi& own = window.state().run.pair;
    window.settle();
    own.scroll.rows = -1;
    window.settle();
    const std::int64_t held = own.scroll.rows;
    CHECK(held <= 0);
    CHECK(held >= -1);
    window.ask("run.first");
    CHECK(own.scroll.rows == 0);
}

TEST_CASE("a press on what is marked brings its rows into view, and another one goes back",
          "[pair_window]") {
    PairWindow window("needle", {1280, 720}, "compare");
    const auto badge = [&] {
        const std::vector<WrittenText> written = window.written();
        const auto found = std::find_if(written.begin(), written.end(), [](const auto& text) {
            return text.text.rfind("needle lost", 0) == 0;
        });
        REQUIRE(found != written.end());
        return found->rect;
    };
    const auto says = [&](const std::string& words) {
        const std::vector<WrittenText> written = window.written();
        return std::any_of(written.begin(), written.end(),
                           [&](const WrittenText& text) { return text.text == words; });
    };
    REQUIRE_FALSE(says("Greta"));  // of the first row
    window.click(badge());
    CHECK(window.state().run.pair.scroll.rows < 0);
    const std::uint32_t first = window.state().run.focus.marked->first;
    const RunView& run = *window.screen.run().view();
    std::string word = run.word(run.now.requests[0].tokens[first]);
    word.erase(0, word.find_first_not_of(' '));
    CHECK(says(word));
    window.click(badge());
    CHECK(window.state().run.pair.scroll.rows == 0);
}

TEST_CASE("the old drawing of a zoomed pool is gone after 120 ms", "[stage]") {
    CHECK(fade_left(0) == 1.0f);
    CHECK(fade_left(0.03) == 0.75f);
    CHECK(fade_left(0.12) == 0.0f);
    CHECK(fade_left(9) == 0.0f);
}

TEST_CASE("zooming into another class fades, and with reduced motion it cuts", "[stage]") {
    for (const bool reduced : {false, true}) {
        PairWindow window("explore", {1920, 1080});
        window.state().settings.reduced_motion = reduced;
        StageUi& stage = window.state().run.stage;
        window.settle();
        REQUIRE(stage.fade.seen);
        const BlockClass before = *stage.fade.seen;
        stage.pool.zoom = 3;
        window.screen.draw(true);
        REQUIRE(*stage.fade.seen != before);
        CHECK(stage.is_moving == !reduced);
        CHECK(stage.fade.from.has_value() == !reduced);
        // The null surface lets a sixtieth of a second pass from frame to frame.
        for (int i = 0; i < 20; ++i) window.screen.draw(true);
        CHECK_FALSE(stage.is_moving);
        CHECK_FALSE(stage.fade.from);
    }
}

TEST_CASE("what fades is let through by its share", "[paint]") {
    const auto surface = open_null({64, 64});
    Gui gui(*surface);
    gui.begin_frame();
    Texts texts;
    CommandSink sink;
    const Ui ui{palette(ThemeName::Dark), gui.fonts(), texts, sink, 1, true};
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const Painter p(ui, list);
    fill(p, {0, 0, 4, 4}, rgb(0xFFFFFF));
    const int before = list.VtxBuffer.Size;
    {
        const Fading fading(p, 0.25f);
        fill(p, {8, 8, 4, 4}, rgb(0xFFFFFF));
    }
    REQUIRE(list.VtxBuffer.Size > before);
    const auto alpha = [&](int i) { return list.VtxBuffer[i].col >> IM_COL32_A_SHIFT; };
    CHECK(alpha(0) == 255);
    CHECK(alpha(before) == 64);  // a quarter of 255, rounded
    CHECK(alpha(list.VtxBuffer.Size - 1) == 64);
    gui.end_frame(rgb(0));
}
