// The whole window on the null surface: every layout, theme and size is drawn with Dear ImGui's own
// checks armed, and keys and commands change what they say they change.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/frame/dock/dock.hpp"
#include "app/frame/dock/memory.hpp"
#include "app/frame/overlay/overlays.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const ImGuiWindow* focused_root() {
    const ImGuiWindow* nav = ImGui::GetCurrentContext()->NavWindow;
    return nav == nullptr ? nullptr : nav->RootWindow;
}

// What stands at the foot of a window in that language.
std::string shown_in(const Texts& texts, std::optional<Notice> notice, Said film = {}) {
    Screen screen(open_null({1280, 720}), {}, texts);
    screen.frame().state().notice = std::move(notice);
    screen.frame().state().film = std::move(film);
    std::vector<WrittenText> written;
    screen.draw(false);
    screen.draw(false, 1, &written);
    std::string words;
    for (const WrittenText& one : written)
        if (one.place == "notice") words += one.text + " ";
    return words;
}

}  // namespace

TEST_CASE("every layout draws in every theme, size and text scale", "[frame]") {
    for (PixelSize size :
         {PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{640, 360}, PixelSize{64, 64}})
        for (float scale : {0.8f, 1.0f, 2.0f, 3.0f}) {
            WindowBench window(size);
            AppState& state = window.state();
            state.settings.text_scale = scale;
            for (ThemeName theme : kThemeNames)
                for (LayoutName layout : kLayoutNames) {
                    INFO(size.w << " x " << size.h << " at " << scale << ", " << name_of(layout));
                    state.settings.theme = theme;
                    state.layout = layout;
                    CHECK_NOTHROW(window.screen.draw(false));
                    CHECK_NOTHROW(window.screen.draw(false));
                }
        }
}

TEST_CASE("every panel draws alone with every model", "[frame]") {
    WindowBench window({900, 600});
    for (const char* model :
         {"llama-2-7b", "llama-2-70b-mha", "gpt-3", "deepseek-v3", "qwen3-0.6b", "mistral-7b"}) {
        AppState& state = window.state();
        set_model(state.bill, BillSide::Left, model);
        set_model(state.bill, BillSide::Right, model);
        for (const PanelRow& panel : panel_table()) {
            if (panel.id == PanelId::Help) continue;
            INFO(model << ", " << panel.name);
            state.only_panel = panel.id;
            state.rebuild_docks = true;
            CHECK_NOTHROW(window.screen.draw(false));
            CHECK_NOTHROW(window.screen.draw(false));
        }
    }
}

TEST_CASE("function keys change the layout, T the theme, Ctrl and + the text", "[frame]") {
    WindowBench window({1280, 720});
    window.screen.draw(true);
    window.press(ImGuiKey_F4);
    CHECK(window.state().layout == LayoutName::Compare);
    window.press(ImGuiKey_F1);
    CHECK(window.state().layout == LayoutName::Learn);
    window.press(ImGuiKey_T);
    CHECK(window.state().settings.theme == ThemeName::Light);
    window.press(ImGuiKey_Equal, ImGuiMod_Ctrl);
    CHECK(window.state().settings.text_scale > 1.0f);
    window.press(ImGuiKey_0, ImGuiMod_Ctrl);
    CHECK(window.state().settings.text_scale == 1.0f);
}

TEST_CASE("the palette runs what is typed, and letters typed there are no commands", "[frame]") {
    WindowBench window({1280, 720});
    window.screen.draw(true);
    window.press(ImGuiKey_P, ImGuiMod_Ctrl);
    REQUIRE(window.state().palette.open);
    const ThemeName before = window.state().settings.theme;
    window.type("compare layout");
    window.press(ImGuiKey_T);  // would change the theme outside the palette
    CHECK(window.state().settings.theme == before);
    window.press(ImGuiKey_Enter);
    CHECK_FALSE(window.state().palette.open);
    CHECK(window.state().layout == LayoutName::Compare);
}

TEST_CASE("a notice is drawn in the language of the window, whichever that is", "[frame]") {
    Texts german, pseudo;
    german.translate("refused.theme = `{word}` ist kein Thema.\nmessage.saved = {path}: fertig.\n",
                     "de.txt");
    pseudo.pseudo();
    AppState state;
    CHECK_FALSE(apply_or_explain(state, {"theme", std::string("pink")}));
    CHECK_THAT(shown_in(Texts(), state.notice),
               ContainsSubstring("`pink` is not a theme; use dark, light or contrast."));
    CHECK_THAT(shown_in(german, state.notice), ContainsSubstring("`pink` ist kein Thema."));
    CHECK_THAT(shown_in(pseudo, state.notice), ContainsSubstring("[`pink` îs nöt à thémé;"));
    CHECK_THAT(shown_in(pseudo, state.notice), !ContainsSubstring("is not a theme"));
    const Notice saved{.said = Said("message.saved"_t, {{"path", "a.png"}})};
    CHECK_THAT(shown_in(german, saved), ContainsSubstring("a.png: fertig."));
    const Said film("export.film.step"_t, {{"n", "2"}, {"last", "4"}});
    CHECK_THAT(shown_in(Texts(), {}, film), ContainsSubstring("Film: step 2 of 4."));
    CHECK_THAT(shown_in(pseudo, {}, film), ContainsSubstring("[Fîlm: stép 2 öf 4."));
}

TEST_CASE("the palette asks for a value and refuses a wrong one in words", "[frame]") {
    WindowBench window({1280, 720});
    window.screen.draw(true);
    window.press(ImGuiKey_M);
    REQUIRE(window.state().palette.pending == "bill.model");
    window.type("llama-9");
    window.press(ImGuiKey_Enter);
    REQUIRE(window.state().notice);
    CHECK(window.state().notice->said.english().find("llama-9") != std::string::npos);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.state().notice);
    window.press(ImGuiKey_M);
    window.type("qwen3-4b");
    window.press(ImGuiKey_Enter);
    CHECK(window.state().bill.left.shape.name == "qwen3-4b");
}

TEST_CASE("a question mark opens the keys and Esc closes them", "[frame]") {
    WindowBench window({1280, 720});
    window.screen.draw(true);
    window.type("?");
    CHECK(window.state().help.open);
    CHECK(window.state().help.tab == HelpTab::Keys);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.state().help.open);
}

TEST_CASE("Ctrl+F6 visits every panel of the layout by keyboard alone", "[frame]") {
    WindowBench window({1920, 1080});
    for (int i = 0; i < 3; ++i) window.screen.draw(true);
    std::vector<std::string> visited;
    for (int i = 0; i < 11; ++i) {
        window.press(ImGuiKey_F6, ImGuiMod_Ctrl);
        const ImGuiWindow* now = ImGui::GetCurrentContext()->NavWindow;
        REQUIRE(now != nullptr);
        visited.push_back(now->Name);
    }
    std::sort(visited.begin(), visited.end());
    CAPTURE(visited);
    CHECK(std::unique(visited.begin(), visited.end()) == visited.end());
    CHECK(focused_root() != nullptr);
}

TEST_CASE("Tab and Space reach and press a control of a panel", "[frame]") {
    WindowBench window({1920, 1080});
    for (int i = 0; i < 3; ++i) window.screen.draw(true);
    const BillInputs before = window.state().bill;
    window.press(ImGuiKey_F6,
                 ImGuiMod_Ctrl);  // Settings: the first control is the attention switch
    window.press(ImGuiKey_Space);
    CHECK(window.state().bill.left.kv_heads != before.left.kv_heads);
}

TEST_CASE("docks stand where the plan says", "[frame]") {
    WindowBench window({1920, 1080});
    for (int i = 0; i < 4; ++i) window.screen.draw(false);
    const Texts texts;
    for (const DockPlace& place : planned_docks(window.state(), {1920, 1080})) {
        const std::string name = std::string(texts[row_of(place.dock.front).title]) +
                                 "###explore/" + std::string(row_of(place.dock.front).name);
        const ImGuiWindow* panel = ImGui::FindWindowByName(name.c_str());
        REQUIRE(panel != nullptr);
        REQUIRE(panel->DockNode != nullptr);
        INFO(name);
        CHECK(panel->DockNode->Pos.x == place.rect.x);
        CHECK(panel->DockNode->Pos.y == place.rect.y);
        CHECK(panel->DockNode->Size.x == place.rect.w);
        CHECK(panel->DockNode->Size.y == place.rect.h);
    }
}

TEST_CASE("reset puts a moved dock back", "[frame]") {
    WindowBench window({1920, 1080});
    for (int i = 0; i < 4; ++i) window.screen.draw(false);
    const Texts texts;
    ImGuiWindow* panel = ImGui::FindWindowByName("Settings###explore/settings");
    REQUIRE(panel != nullptr);
    const float width = panel->DockNode->Size.x;
    ImGui::DockBuilderSetNodeSize(panel->DockNode->ParentNode->ID, {500, 900});
    for (int i = 0; i < 3; ++i) window.screen.draw(false);
    REQUIRE(ImGui::FindWindowByName("Settings###explore/settings")->DockNode->Size.x != width);
    window.state().rebuild_docks = true;
    for (int i = 0; i < 3; ++i) window.screen.draw(false);
    CHECK(ImGui::FindWindowByName("Settings###explore/settings")->DockNode->Size.x == width);
}

TEST_CASE("moved panels are where they were after a new start", "[frame]") {
    std::string kept;
    {
        WindowBench window({1920, 1080});
        for (int i = 0; i < 4; ++i) window.screen.draw(false);
        ImGui::DockBuilderSetNodeSize(
            ImGui::FindWindowByName("Settings###explore/settings")->DockNode->ParentNode->ID,
            {500, 900});
        for (int i = 0; i < 3; ++i) window.screen.draw(false);
        kept = remember_docks({1920, 1080});
    }
    WindowBench window({1920, 1080});
    REQUIRE(recall_docks(kept, {1920, 1080}));
    for (int i = 0; i < 4; ++i) window.screen.draw(false);
    CHECK(ImGui::FindWindowByName("Settings###explore/settings")->DockNode->Size.x == 500);
    CHECK_FALSE(recall_docks("[Window][Settings]\nPos=0,0\n", {1920, 1080}));
    CHECK_FALSE(recall_docks("", {1920, 1080}));
    CHECK(recall_docks(kept, {1900, 1000}));
    CHECK_FALSE(recall_docks(kept, {960, 540}));  // the same window with text twice as large
}

TEST_CASE("keys stay with what lies over the picture", "[frame]") {
    WindowBench window({1280, 720});
    AppState& state = window.state();
    window.screen.draw(true);
    const ThemeName theme = state.settings.theme;
    const auto press_all = [&] {
        for (const ImGuiKey key : {ImGuiKey_T, ImGuiKey_M, ImGuiKey_U, ImGuiKey_F4, ImGuiKey_F6})
            window.press(key);
        CHECK(state.settings.theme == theme);
        CHECK(state.layout == LayoutName::Explore);
        CHECK(state.bill.units == UnitSystem::Binary);
        CHECK_FALSE(state.palette.open);
    };
    window.type("?");
    REQUIRE(state.help.open);
    press_all();
    CHECK(state.help.open);
    window.press(ImGuiKey_Equal, ImGuiMod_Ctrl);  // the text is that of the help as well
    CHECK(state.settings.text_scale > 1.0f);
    window.press(ImGuiKey_0, ImGuiMod_Ctrl);
    window.press(ImGuiKey_P, ImGuiMod_Ctrl);  // one thing lies there at a time
    CHECK(state.palette.open);
    CHECK_FALSE(state.help.open);
    window.press(ImGuiKey_Escape);
    REQUIRE_FALSE(state.palette.open);
    window.press(ImGuiKey_T);
    CHECK(state.settings.theme != theme);
}

TEST_CASE("what is undone in a field is not undone behind it", "[frame]") {
    WindowBench window({1280, 720});
    AppState& state = window.state();
    window.screen.draw(true);
    window.press(ImGuiKey_U);
    REQUIRE(state.bill_undo.steps_back() == 1);
    window.press(ImGuiKey_M);
    REQUIRE(state.palette.open);
    window.type("lla");
    window.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(state.bill_undo.steps_back() == 1);
}

TEST_CASE("a note goes by itself, a refusal stays, and the mouse holds both", "[frame]") {
    const Notice note{.said = Said("message.copied"_t)};
    CHECK(*seconds_of(note, 20) >= 4);
    CHECK(*seconds_of(note, 200) > *seconds_of(note, 20));
    CHECK(*seconds_of({.said = note.said, .file = "a.png"}, 20) > *seconds_of(note, 20));
    CHECK_FALSE(seconds_of({.said = note.said, .refused = true}, 20));
    CHECK(*seconds_of({.said = note.said, .until_it_comes = true}, 20) > *seconds_of(note, 20));

    WindowBench window({1280, 720});
    AppState& state = window.state();
    const auto wait = [&](int seconds) {
        for (int frames = 4 * seconds; frames > 0; --frames) {
            ImGui::GetCurrentContext()->Time += 0.25;
            window.screen.draw(true);
        }
    };
    state.notice = note;
    wait(1);
    CHECK(state.notice);
    const ImGuiWindow* panel = ImGui::FindWindowByName("###notice");
    REQUIRE(panel != nullptr);
    ImGui::GetIO().AddMousePosEvent(panel->Pos.x + 8, panel->Pos.y + 8);
    wait(20);
    CHECK(state.notice);
    ImGui::GetIO().AddMousePosEvent(4, 400);
    wait(20);
    CHECK_FALSE(state.notice);
    state.notice = Notice{.said = note.said, .refused = true};
    wait(20);
    CHECK(state.notice);
}

TEST_CASE("a lesson has its dock in every layout, whichever was seen before", "[frame]") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1920, 1080}}) {
        WindowBench window(size);
        AppState& state = window.state();
        const auto see = [&] {
            for (int i = 0; i < 4; ++i) window.screen.draw(false);
        };
        see();
        apply(state, {"layout.learn", {}});
        see();
        const auto is_docked = [&](const char* name) {
            const ImGuiWindow* panel = ImGui::FindWindowByName(name);
            return panel != nullptr && panel->DockNode != nullptr;
        };
        CHECK(panel_in_view(LayoutName::Learn, PanelId::Lesson));
        apply(state, {"lesson.open", std::string("1")});
        window.screen.finish_run();
        see();
        apply(state, {"layout.explore", {}});
        see();
        CHECK(is_docked("Lesson###explore/lesson"));
        apply(state, {"layout.compare", {}});
        see();
        CHECK(is_docked("Lesson###compare/lesson"));
        apply(state, {"lesson.close", {}});
        window.screen.finish_run();
        apply(state, {"layout.explore", {}});
        see();
        CHECK(is_docked("Stage###explore/stage"));
    }
}
