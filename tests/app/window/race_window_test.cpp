// The race in the whole window: it spreads over Explore and gives it back, it takes the keys that
// play and step, and it draws in every theme, size and text scale.

#include <imgui.h>
#include <imgui_internal.h>

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/cli/screen/screen.hpp"
#include "app/frame/dock/dock.hpp"

using namespace kv;

namespace {

struct RaceWindow {
    Screen screen;

    explicit RaceWindow(PixelSize size = {1280, 720}, float text_scale = 1)
        : screen(open_null(size), with_scale(text_scale), Texts()) {}
    static AppState with_scale(float text_scale) {
        AppState state;
        state.settings.text_scale = text_scale;
        return state;
    }

    AppState& state() { return screen.frame().state(); }
    RaceUi& race() { return state().race; }
    void settle(int frames = 6) {
        for (int i = 0; i < frames; ++i) screen.draw(true), screen.finish_run();
    }
    void ask(const char* words) {
        std::string why;
        REQUIRE(apply_or_explain(state(), *parse_command(words, why)));
        settle();
    }
    void press(ImGuiKey key, ImGuiKey modifier = ImGuiKey_None) {
        ImGuiIO& io = ImGui::GetIO();
        if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
        io.AddKeyEvent(key, true);
        screen.draw(true);
        io.AddKeyEvent(key, false);
        if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
        settle(2);
    }
    bool shows(PanelId panel) { return panel_in_view(state().docks(), panel).has_value(); }
};

}  // namespace

TEST_CASE("the race spreads over Explore, and another panel of its dock brings Explore back",
          "[race_window]") {
    RaceWindow window;
    window.settle();
    CHECK(window.state().docks() == LayoutName::Explore);
    CHECK_FALSE(window.race().race);  // nobody has looked yet
    window.ask("race.open");
    CHECK(window.state().docks() == LayoutName::Race);
    CHECK(window.shows(PanelId::Race));
    CHECK_FALSE(window.shows(PanelId::Settings));
    CHECK(window.race().race);

    // As a press on the tab does.
    ImGui::FocusWindow(window_of(LayoutName::Race, PanelId::Charts));
    window.settle();
    CHECK(window.state().docks() == LayoutName::Explore);
    CHECK(window.shows(PanelId::Settings));
    CHECK(window.shows(PanelId::Charts));

    ImGui::FocusWindow(window_of(LayoutName::Explore, PanelId::Race));
    window.settle();
    CHECK(window.state().docks() == LayoutName::Race);
    CHECK(window.shows(PanelId::Race));
    window.ask("layout.explore");
    CHECK(window.state().docks() == LayoutName::Explore);
    CHECK(window.shows(PanelId::Stage));
    window.settle(20);
    CHECK(window.state().docks() == LayoutName::Explore);
}

TEST_CASE("keys that step and play are the race's while it is in front, and the run stands still",
          "[race_window]") {
    RaceWindow window;
    window.screen.open_scene("learn", {});
    window.screen.finish_run();
    window.ask("race.open");
    const auto moment = [&] { return window.screen.run().view()->moment; };
    const auto before = moment();
    CHECK(window.race().iteration() == 2000);
    window.press(ImGuiKey_RightArrow);
    CHECK(window.race().iteration() == 2010);
    window.press(ImGuiKey_LeftArrow);
    window.press(ImGuiKey_LeftArrow, ImGuiMod_Shift);
    CHECK(window.race().iteration() == 1999);
    window.press(ImGuiKey_Home);
    CHECK(window.race().iteration() == 0);
    window.press(ImGuiKey_End);
    CHECK(window.race().iteration() == 18'588);
    window.ask("race.goto 100");
    window.press(ImGuiKey_Space);
    CHECK(window.race().playing);
    window.press(ImGuiKey_Space);
    CHECK_FALSE(window.race().playing);
    CHECK(moment() == before);
    CHECK_FALSE(window.state().run.playback.playing);

    window.ask("panel.show stage");
    const u64 stays = window.race().iteration();
    window.press(ImGuiKey_RightArrow);
    CHECK(moment() > before);
    CHECK(window.race().iteration() == stays);
}

TEST_CASE("the race has keys without any run", "[race_window]") {
    RaceWindow window;
    window.ask("race.open");
    REQUIRE_FALSE(window.state().run.exists);
    window.press(ImGuiKey_RightArrow);
    CHECK(window.race().iteration() == 2010);
}

TEST_CASE("the race draws in every theme, size and text scale, and what it says when it has none",
          "[race_window][heavy]") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{2560, 1440}})
        for (const float scale : {0.8f, 1.0f, 2.0f, 3.0f}) {
            RaceWindow window(size, scale);
            for (const ThemeName theme : kThemeNames)
                for (const char* words :
                     {"race.open", "race.rule max", "race.faults", "race.workload /no/such.csv",
                      "race.workload arxiv-like"}) {
                    INFO(size.w << " at " << scale << ": " << words);
                    window.state().settings.theme = theme;
                    window.ask(words);
                    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
                        for (const ImDrawVert& v : list->VtxBuffer)
                            REQUIRE((std::isfinite(v.pos.x) && std::isfinite(v.pos.y)));
                }
        }
}
