// The whole window on the null surface: every layout, theme and size is drawn with Dear ImGui's own
// checks armed, and keys and commands change what they say they change.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/cli/screen/screen.hpp"
#include "app/frame/dock/dock.hpp"
#include "app/frame/dock/memory.hpp"
#include "app/frame/overlay/overlays.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {

Screen make_screen(PixelSize size, AppState state = {}) {
    return Screen(open_null(size), std::move(state), Texts());
}

void press(ImGuiKey key, Screen& screen, ImGuiKey modifier = ImGuiKey_None) {
    ImGuiIO& io = ImGui::GetIO();
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
    io.AddKeyEvent(key, true);
    screen.draw(true);
    io.AddKeyEvent(key, false);
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
    screen.draw(true);
    screen.draw(true);
}

void type_text(const char* text, Screen& screen) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    screen.draw(true);
    screen.draw(true);
}

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
            Screen screen = make_screen(size);
            AppState& state = screen.frame().state();
            state.settings.text_scale = scale;
            for (ThemeName theme : kThemeNames)
                for (LayoutName layout : kLayoutNames) {
                    INFO(size.w << " x " << size.h << " at " << scale << ", " << name_of(layout));
                    state.settings.theme = theme;
                    state.layout = layout;
                    CHECK_NOTHROW(screen.draw(false));
                    CHECK_NOTHROW(screen.draw(false));
                }
        }
}

TEST_CASE("every panel draws alone with every model", "[frame]") {
    Screen screen = make_screen({900, 600});
    for (const char* model :
         {"llama-2-7b", "llama-2-70b-mha", "gpt-3", "deepseek-v3", "qwen3-0.6b", "mistral-7b"}) {
        AppState& state = screen.frame().state();
        set_model(state.bill, BillSide::Left, model);
        set_model(state.bill, BillSide::Right, model);
        for (const PanelRow& panel : panel_table()) {
            if (panel.id == PanelId::Help) continue;
            INFO(model << ", " << panel.name);
            state.only_panel = panel.id;
            state.rebuild_docks = true;
            CHECK_NOTHROW(screen.draw(false));
            CHECK_NOTHROW(screen.draw(false));
        }
    }
}

TEST_CASE("function keys change the layout, T the theme, Ctrl and + the text", "[frame]") {
    Screen screen = make_screen({1280, 720});
    screen.draw(true);
    press(ImGuiKey_F4, screen);
    CHECK(screen.frame().state().layout == LayoutName::Compare);
    press(ImGuiKey_F1, screen);
    CHECK(screen.frame().state().layout == LayoutName::Learn);
    press(ImGuiKey_T, screen);
    CHECK(screen.frame().state().settings.theme == ThemeName::Light);
    press(ImGuiKey_Equal, screen, ImGuiMod_Ctrl);
    CHECK(screen.frame().state().settings.text_scale > 1.0f);
    press(ImGuiKey_0, screen, ImGuiMod_Ctrl);
    CHECK(screen.frame().state().settings.text_scale == 1.0f);
}

TEST_CASE("the palette runs what is typed, and letters typed there are no commands", "[frame]") {
    Screen screen = make_screen({1280, 720});
    screen.draw(true);
    press(ImGuiKey_P, screen, ImGuiMod_Ctrl);
    REQUIRE(screen.frame().state().palette.open);
    const ThemeName before = screen.frame().state().settings.theme;
    type_text("compare layout", screen);
    press(ImGuiKey_T, screen);  // would change the theme outside the palette
    CHECK(screen.frame().state().settings.theme == before);
    press(ImGuiKey_Enter, screen);
    CHECK_FALSE(screen.frame().state().palette.open);
    CHECK(screen.frame().state().layout == LayoutName::Compare);
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
    Screen screen = make_screen({1280, 720});
    screen.draw(true);
    press(ImGuiKey_M, screen);
    REQUIRE(screen.frame().state().palette.pending == "bill.model");
    type_text("llama-9", screen);
    press(ImGuiKey_Enter, screen);
    REQUIRE(screen.frame().state().notice);
    CHECK(screen.frame().state().notice->said.english().find("llama-9") != std::string::npos);
    press(ImGuiKey_Escape, screen);
    CHECK_FALSE(screen.frame().state().notice);
    press(ImGuiKey_M, screen);
    type_text("qwen3-4b", screen);
    press(ImGuiKey_Enter, screen);
    CHECK(screen.frame().state().bill.left.shape.name == "qwen3-4b");
}

TEST_CASE("a question mark opens the keys and Esc closes them", "[frame]") {
    Screen screen = make_screen({1280, 720});
    screen.draw(true);
    type_text("?", screen);
    CHECK(screen.frame().state().help.open);
    CHECK(screen.frame().state().help.tab == HelpTab::Keys);
    press(ImGuiKey_Escape, screen);
    CHECK_FALSE(screen.frame().state().help.open);
}

TEST_CASE("Ctrl+F6 visits every panel of the layout by keyboard alone", "[frame]") {
    Screen screen = make_screen({1920, 1080});
    for (int i = 0; i < 3; ++i) screen.draw(true);
    std::vector<std::string> visited;
    for (int i = 0; i < 11; ++i) {
        press(ImGuiKey_F6, screen, ImGuiMod_Ctrl);
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
    Screen screen = make_screen({1920, 1080});
    for (int i = 0; i < 3; ++i) screen.draw(true);
    const BillInputs before = screen.frame().state().bill;
    press(ImGuiKey_F6, screen,
          ImGuiMod_Ctrl);  // Settings: the first control is the attention switch
    press(ImGuiKey_Space, screen);
    CHECK(screen.frame().state().bill.left.kv_heads != before.left.kv_heads);
}

TEST_CASE("docks stand where the plan says", "[frame]") {
    Screen screen = make_screen({1920, 1080});
    for (int i = 0; i < 4; ++i) screen.draw(false);
    const Texts texts;
    for (const DockPlace& place : planned_docks(screen.frame().state(), {1920, 1080})) {
        const std::string name = std::string(texts[row_of(place.dock.front).title]) +
                                 "###explore/" + std::string(row_of(place.dock.front).name);
        const ImGuiWindow* window = ImGui::FindWindowByName(name.c_str());
        REQUIRE(window != nullptr);
        REQUIRE(window->DockNode != nullptr);
        INFO(name);
        CHECK(window->DockNode->Pos.x == place.rect.x);
        CHECK(window->DockNode->Pos.y == place.rect.y);
        CHECK(window->DockNode->Size.x == place.rect.w);
        CHECK(window->DockNode->Size.y == place.rect.h);
    }
}

TEST_CASE("reset puts a moved dock back", "[frame]") {
    Screen screen = make_screen({1920, 1080});
    for (int i = 0; i < 4; ++i) screen.draw(false);
    const Texts texts;
    ImGuiWindow* window = ImGui::FindWindowByName("Settings###explore/settings");
    REQUIRE(window != nullptr);
    const float width = window->DockNode->Size.x;
    ImGui::DockBuilderSetNodeSize(window->DockNode->ParentNode->ID, {500, 900});
    for (int i = 0; i < 3; ++i) screen.draw(false);
    REQUIRE(ImGui::FindWindowByName("Settings###explore/settings")->DockNode->Size.x != width);
    screen.frame().state().rebuild_docks = true;
    for (int i = 0; i < 3; ++i) screen.draw(false);
    CHECK(ImGui::FindWindowByName("Settings###explore/settings")->DockNode->Size.x == width);
}

TEST_CASE("moved panels are where they were after a new start", "[frame]") {
    std::string kept;
    {
        Screen screen = make_screen({1920, 1080});
        for (int i = 0; i < 4; ++i) screen.draw(false);
        ImGui::DockBuilderSetNodeSize(
            ImGui::FindWindowByName("Settings###explore/settings")->DockNode->ParentNode->ID,
            {500, 900});
        for (int i = 0; i < 3; ++i) screen.draw(false);
        kept = remember_docks({1920, 1080});
    }
    Screen screen = make_screen({1920, 1080});
    REQUIRE(recall_docks(kept, {1920, 1080}));
    for (int i = 0; i < 4; ++i) screen.draw(false);
    CHECK(ImGui::FindWindowByName("Settings###explore/settings")->DockNode->Size.x == 500);
    CHECK_FALSE(recall_docks("[Window][Settings]\nPos=0,0\n", {1920, 1080}));
    CHECK_FALSE(recall_docks("", {1920, 1080}));
    CHECK(recall_docks(kept, {1900, 1000}));
    CHECK_FALSE(recall_docks(kept, {960, 540}));  // the same window with text twice as large
}

TEST_CASE("keys stay with what lies over the picture", "[frame]") {
    Screen screen = make_screen({1280, 720});
    AppState& state = screen.frame().state();
    screen.draw(true);
    const ThemeName theme = state.settings.theme;
    const auto press_all = [&] {
        for (const ImGuiKey key : {ImGuiKey_T, ImGuiKey_M, ImGuiKey_U, ImGuiKey_F4, ImGuiKey_F6})
            press(key, screen);
        CHECK(state.settings.theme == theme);
        CHECK(state.layout == LayoutName::Explore);
        CHECK(state.bill.units == UnitSystem::Binary);
        CHECK_FALSE(state.palette.open);
    };
    type_text("?", screen);
    REQUIRE(state.help.open);
    press_all();
    CHECK(state.help.open);
    press(ImGuiKey_Equal, screen, ImGuiMod_Ctrl);  // the text is that of the help as well
    CHECK(state.settings.text_scale > 1.0f);
    press(ImGuiKey_0, screen, ImGuiMod_Ctrl);
    press(ImGuiKey_P, screen, ImGuiMod_Ctrl);  // one thing lies there at a time
    CHECK(state.palette.open);
    CHECK_FALSE(state.help.open);
    press(ImGuiKey_Escape, screen);
    REQUIRE_FALSE(state.palette.open);
    press(ImGuiKey_T, screen);
    CHECK(state.settings.theme != theme);
}

TEST_CASE("what is undone in a field is not undone behind it", "[frame]") {
    Screen screen = make_screen({1280, 720});
    AppState& state = screen.frame().state();
    screen.draw(true);
    press(ImGuiKey_U, screen);
    REQUIRE(state.bill_undo.steps_back() == 1);
    press(ImGuiKey_M, screen);
    REQUIRE(state.palette.open);
    type_text("lla", screen);
    press(ImGuiKey_Z, screen, ImGuiMod_Ctrl);
    CHECK(state.bill_undo.steps_back() == 1);
}

TEST_CASE("a note goes by itself, a refusal stays, and the mouse holds both", "[frame]") {
    const Notice note{.said = Said("message.copied"_t)};
    CHECK(*seconds_of(note, 20) >= 4);
    CHECK(*seconds_of(note, 200) > *seconds_of(note, 20));
    CHECK(*seconds_of({.said = note.said, .file = "a.png"}, 20) > *seconds_of(note, 20));
    CHECK_FALSE(seconds_of({.said = note.said, .refused = true}, 20));
    CHECK(*seconds_of({.said = note.said, .until_it_comes = true}, 20) > *seconds_of(note, 20));

    Screen screen = make_screen({1280, 720});
    AppState& state = screen.frame().state();
    const auto wait = [&](int seconds) {
        for (int frames = 4 * seconds; frames > 0; --frames) {
            ImGui::GetCurrentContext()->Time += 0.25;
            screen.draw(true);
        }
    };
    state.notice = note;
    wait(1);
    CHECK(state.notice);
    const ImGuiWindow* window = ImGui::FindWindowByName("###notice");
    REQUIRE(window != nullptr);
    ImGui::GetIO().AddMousePosEvent(window->Pos.x + 8, window->Pos.y + 8);
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
        Screen screen = make_screen(size);
        AppState& state = screen.frame().state();
        const auto see = [&] {
            for (int i = 0; i < 4; ++i) screen.draw(false);
        };
        see();
        apply(state, {"layout.learn", {}});
        see();
        const auto is_docked = [&](const char* name) {
            const ImGuiWindow* window = ImGui::FindWindowByName(name);
            return window != nullptr && window->DockNode != nullptr;
        };
        CHECK(panel_in_view(LayoutName::Learn, PanelId::Lesson));
        apply(state, {"lesson.open", std::string("1")});
        screen.finish_run();
        see();
        apply(state, {"layout.explore", {}});
        see();
        CHECK(is_docked("Lesson###explore/lesson"));
        apply(state, {"layout.compare", {}});
        see();
        CHECK(is_docked("Lesson###compare/lesson"));
        apply(state, {"lesson.close", {}});
        screen.finish_run();
        apply(state, {"layout.explore", {}});
        see();
        CHECK(is_docked("Stage###explore/stage"));
    }
}
