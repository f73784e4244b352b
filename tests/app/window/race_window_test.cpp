// The race in the whole window: it spreads over Explore and gives it back, it takes the keys that
// play and step, and it draws in every theme, size and text scale.

#include <imgui.h>
#include <imgui_internal.h>

#include <catch2/catch_test_macros.hpp>

#include "app/frame/dock/dock.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct RaceWindow : WindowBench {
    explicit RaceWindow(PixelSize size = {1280, 720}, float text_scale = 1)
        : WindowBench(size, with_text_scale(text_scale)) {}

    RaceUi& race() { return state().race; }
    bool shows(PanelId panel) { return panel_in_view(state().docks(), panel).has_value(); }
};

}  // namespace

TEST_CASE("the race spreads over Explore, and another panel of its dock brings Explore back",
          "[race_window]") {
    RaceWindow window;
    window.settle(6);
    CHECK(window.state().docks() == LayoutName::Explore);
    CHECK_FALSE(window.race().race);  // nobody has looked yet
    window.ask("race.open");
    CHECK(window.state().docks() == LayoutName::Race);
    CHECK(window.shows(PanelId::Race));
    CHECK_FALSE(window.shows(PanelId::Settings));
    CHECK(window.race().race);

    // As a press on the tab does.
    ImGui::FocusWindow(window_of(LayoutName::Race, PanelId::Charts));
    window.settle(6);
    CHECK(window.state().docks() == LayoutName::Explore);
    CHECK(window.shows(PanelId::Settings));
    CHECK(window.shows(PanelId::Charts));

    ImGui::FocusWindow(window_of(LayoutName::Explore, PanelId::Race));
    window.settle(6);
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
    window.open("learn");
    window.ask("race.open");
    const auto moment = [&] { return window.run().moment; };
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
                    check_finite();
                }
        }
}
