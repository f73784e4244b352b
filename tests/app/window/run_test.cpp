// The whole window with a run behind it, on the null surface: keys step and select, every layout
// draws at every size, and a monkey at the keyboard and the mouse breaks nothing.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <random>

#include "app/frame/dock/dock.hpp"
#include "app/panels/charts/equation_plan.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/sanitizers.hpp"
#include "tests/app/window_bench.hpp"
#include "tests/places.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;
using test::ScratchFolder;

namespace {

// A window in which a shipped scene stands at its step.
struct RunWindow : WindowBench {
    explicit RunWindow(const char* scene, PixelSize size = {1280, 720}, float text_scale = 1)
        : WindowBench(size, with_text_scale(text_scale)) {
        open(scene);
        settle();
    }
    const Snapshot& now() { return run().now; }
};

}  // namespace

TEST_CASE("the arrow keys step, Home and End go to the ends, Space plays", "[run_window]") {
    RunWindow window("learn");
    window.ask("run.step iteration");
    window.press(ImGuiKey_RightArrow);
    CHECK(window.now().iteration == 40);
    window.press(ImGuiKey_LeftArrow);
    window.press(ImGuiKey_LeftArrow);
    CHECK(window.now().iteration == 38);
    window.press(ImGuiKey_PageDown);
    CHECK(window.now().iteration == 39);
    window.press(ImGuiKey_Home);
    CHECK(window.run().moment == 0);
    window.press(ImGuiKey_End);
    CHECK(window.now().iteration == 48);
    window.press(ImGuiKey_LeftArrow);
    CHECK_FALSE(window.state().run.playback.playing);
    window.press(ImGuiKey_Space);
    CHECK(window.state().run.playback.playing);
    window.press(ImGuiKey_Space);
    CHECK_FALSE(window.state().run.playback.playing);
}

TEST_CASE("a note hides neither the Transport nor what Present says", "[run_window]") {
    for (const char* layout : {"learn", "explore", "compare", "present"})
        for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1920, 1080}}) {
            INFO(layout << " " << size.w);
            RunWindow window("learn", size);
            window.ask(std::string("layout.") + layout);
            window.state().notice = Notice{.said = Said("message.copied"_t)};
            for (int i = 0; i < 3; ++i) window.screen.draw(true);
            const ImGuiWindow* note = ImGui::FindWindowByName("###notice");
            REQUIRE(note != nullptr);
            const float top = note->Pos.y, bottom = note->Pos.y + note->Size.y;
            CHECK(top >= 0);
            if (window.state().layout == LayoutName::Present) {
                CHECK(bottom <= 60);  // the picture begins there
                continue;
            }
            const auto transport = panel_in_view(window.state().docks(), PanelId::Transport);
            REQUIRE(transport);
            CHECK(bottom < transport->y);
        }
}

TEST_CASE("a click on a token of the Stage leads to a panel that shows it", "[run_window]") {
    RunWindow window("learn", {1280, 720});
    window.ask("layout.learn");
    REQUIRE_FALSE(panel_in_view(LayoutName::Learn, PanelId::Inspector));
    std::vector<WrittenText> written;
    window.screen.draw(true, 1, &written);
    const auto barn = std::find_if(written.begin(), written.end(),
                                   [](const WrittenText& text) { return text.text == "barn"; });
    REQUIRE(barn != written.end());
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(barn->rect.center().x, barn->rect.center().y);
    window.settle();
    CHECK_FALSE(panel_in_view(LayoutName::Learn, PanelId::Inspector));  // pointing is no click
    io.AddMouseButtonEvent(0, true);
    window.screen.draw(true);
    io.AddMouseButtonEvent(0, false);
    for (int i = 0; i < 3; ++i) window.settle();
    CHECK(panel_in_view(LayoutName::Learn, PanelId::Inspector));
    CHECK(window.state().layout == LayoutName::Learn);
}

TEST_CASE("the sizes of a step are never cut, whatever the size of the text", "[run_window]") {
    for (const float scale : {1.0f, 2.0f, 3.0f}) {
        INFO(scale);
        RunWindow window("first", {1280, 720}, scale);
        window.ask("layout.explore");
        const auto transport = panel_in_view(window.state().docks(), PanelId::Transport);
        REQUIRE(transport);
        std::vector<WrittenText> written;
        window.screen.draw(true, 1, &written);
        CHECK(std::any_of(written.begin(), written.end(), [&](const WrittenText& text) {
            return text.text == "Step" && text.rect.y > transport->y &&
                   text.rect.right() <= transport->right();
        }));
    }
}

TEST_CASE("another scene does not inherit what was selected in the one before", "[run_window]") {
    RunWindow window("first");
    window.ask("run.goto 4");
    window.ask("select.token 5");
    REQUIRE(window.state().run.focus.token == 5u);
    window.ask("file.open_scene needle");
    for (int i = 0; i < 3; ++i) window.settle();
    REQUIRE(window.run().scene == "The needle outside the window");
    CHECK_FALSE(window.state().run.focus.token);
}

TEST_CASE("brackets change the size of a step, Shift makes one finer", "[run_window]") {
    RunWindow window("learn");
    window.ask("run.step iteration");
    window.press(ImGuiKey_RightBracket);
    CHECK(window.state().run.playback.step == Granularity::Token);
    window.press(ImGuiKey_LeftBracket);
    CHECK(window.state().run.playback.step == Granularity::Iteration);
    window.press(ImGuiKey_LeftBracket);
    CHECK(window.state().run.playback.step == Granularity::Iteration);
    window.ask("run.step layer");
    window.press(ImGuiKey_RightArrow, ImGuiMod_Shift);
    CHECK(window.now().iteration == 40);
    CHECK(window.now().in_iteration);
}

TEST_CASE("Tab goes from request to request, K and V change the side, Esc lets go",
          "[run_window]") {
    RunWindow window("learn");
    const SeqId before = window.state().run.focus.request;
    window.press(ImGuiKey_Tab);
    CHECK(window.state().run.focus.request != before);
    window.press(ImGuiKey_Tab, ImGuiMod_Shift);
    CHECK(window.state().run.focus.request == before);
    window.press(ImGuiKey_V);
    CHECK(window.state().run.focus.side == Side::V);
    window.press(ImGuiKey_K);
    CHECK(window.state().run.focus.side == Side::K);
    window.ask("select.token 3");
    CHECK(window.state().run.focus.token == 3u);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.state().run.focus.token);
}

// One frame sees the letter go down and Ctrl go up, when it is slow or fingers are quick.
TEST_CASE("Ctrl+P opens the palette even if Ctrl is gone by the end of the frame", "[run_window]") {
    RunWindow window("learn");
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, true);
    window.screen.draw(true);
    io.AddKeyEvent(ImGuiKey_P, true);
    io.AddKeyEvent(ImGuiMod_Ctrl, false);
    io.AddKeyEvent(ImGuiKey_P, false);
    window.screen.draw(true);
    window.settle();
    CHECK(window.state().palette.open);
}

TEST_CASE("letters typed while the palette opens are not lost", "[run_window]") {
    RunWindow window("learn");
    ImGuiIO& io = ImGui::GetIO();
    window.ask("palette.open");
    for (const char letter : std::string("theme")) {
        io.AddInputCharacter(static_cast<unsigned>(letter));
        window.screen.draw(true);
    }
    CHECK(window.state().palette.query == "theme");
}

TEST_CASE("Ctrl+Z takes back a setting of the run, or the bill's while that is in front",
          "[run_window]") {
    RunWindow window("explore", {1920, 1080});
    const std::uint64_t before = bytes_per_token(window.run().layout);
    window.ask("run.model mha");
    const std::uint64_t tokens = window.state().bill.tokens;
    window.ask("bill.tokens 77");
    window.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(bytes_per_token(window.run().layout) == before);
    CHECK(window.state().bill.tokens == 77);
    window.press(ImGuiKey_Y, ImGuiMod_Ctrl);
    CHECK(bytes_per_token(window.run().layout) == 4 * before);
    window.ask("panel.show calculator");
    window.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(window.state().bill.tokens == tokens);
    CHECK(bytes_per_token(window.run().layout) == 4 * before);
}

TEST_CASE("Esc lets go of one thing at a time, of the selection last", "[run_window]") {
    RunWindow window("explore", {1920, 1080});
    const auto selected = [&] { return window.state().run.focus.token.has_value(); };
    window.ask("select.token 3");
    window.ask("window.first_start");
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.state().start.open);
    CHECK(selected());

    ImGui::GetIO().AddMousePosEvent(100, 22);  // the menu File, opened by a press
    window.screen.draw(true);
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    window.screen.draw(true);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    window.settle();
    REQUIRE(ImGui::GetCurrentContext()->OpenPopupStack.Size > 0);
    window.press(ImGuiKey_Escape);
    CHECK(ImGui::GetCurrentContext()->OpenPopupStack.Size == 0);
    CHECK(selected());

    window.press(ImGuiKey_F6, ImGuiMod_Ctrl);
    REQUIRE(ImGui::GetCurrentContext()->NavCursorVisible);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(ImGui::GetCurrentContext()->NavCursorVisible);
    CHECK(selected());

    window.press(ImGuiKey_Escape);
    CHECK_FALSE(selected());
}

TEST_CASE("after a prompt was typed the arrow keys step, wherever it was asked for",
          "[run_window]") {
    RunWindow window("learn", {1920, 1080});
    window.ask("run.step iteration");
    window.press(ImGuiKey_A);
    REQUIRE(window.state().palette.pending == "run.add");
    ImGui::GetIO().AddInputCharactersUTF8("the key ");
    window.settle();
    window.press(ImGuiKey_Enter);
    CHECK_FALSE(window.state().palette.open);
    CHECK(window.state().notice);  // says that it comes with the next step
    CHECK_FALSE(ImGui::GetCurrentContext()->NavCursorVisible);
    window.press(ImGuiKey_RightArrow);
    CHECK(window.now().iteration == 40);
    CHECK_FALSE(window.state().notice);
}

TEST_CASE("the third key of a clicker freezes the picture of an audience", "[run_window]") {
    RunWindow window("present");
    window.press(ImGuiKey_B);
    CHECK(window.state().palette.pending == "run.branch");
    window.press(ImGuiKey_Escape);
    window.press(ImGuiKey_F3);
    window.press(ImGuiKey_B);
    CHECK(window.state().run.frozen);
    CHECK_FALSE(window.state().palette.open);
    window.press(ImGuiKey_B);
    CHECK_FALSE(window.state().run.frozen);
}

// Ten presses: step, back, show a byte, fewer heads.
TEST_CASE("a newcomer sees the bytes fall within ten key presses", "[run_window][heavy]") {
    RunWindow window("explore", {1920, 1080});
    const std::uint64_t mha_to_come = bytes_per_token(window.run().layout) * 4;
    window.press(ImGuiKey_RightArrow);
    window.press(ImGuiKey_LeftArrow);
    window.press(ImGuiKey_V);
    window.ask("run.model mha");
    CHECK(bytes_per_token(window.run().layout) == mha_to_come);
    window.ask("run.model gqa");
    CHECK(bytes_per_token(window.run().layout) * 4 == mha_to_come);
    CHECK(window.now().iteration == 112);
}

TEST_CASE("what was looked at is looked at again when the cursor is back", "[run_window]") {
    RunWindow window("explore", {1920, 1080});
    const RunFocus& focus = window.state().run.focus;
    window.ask("focus.request A");
    window.ask("select.token 21");
    const SeqId looked_at = focus.request;
    REQUIRE(looked_at != SeqId(0));
    const auto there_and_back = [&] {
        window.press(ImGuiKey_Home);
        CHECK(focus.request == SeqId(0));
        CHECK_FALSE(focus.token);
    };
    there_and_back();
    window.ask("run.goto 112");
    CHECK(focus.request == looked_at);
    CHECK(focus.token == 21u);

    there_and_back();
    window.ask("run.goto 40");
    window.press(ImGuiKey_Tab);  // whoever is chosen meanwhile stays
    const SeqId chosen = focus.request;
    REQUIRE(chosen != SeqId(0));
    window.ask("run.goto 112");
    CHECK(focus.request == chosen);
}

TEST_CASE("the bars beside a shipped model are those of the other two", "[run_window][heavy]") {
    RunWindow window("explore", {1920, 1080});
    for (const char* model : {"mha", "gqa", "mqa"}) {
        INFO(model);
        window.ask(std::string("run.model ") + model);
        const RunView& run = window.run();
        CHECK(compared_kv_heads(run) == List<std::uint64_t>{8, 2, 1});
        const RunEquation equation = plan_run_equation(run, Texts());
        REQUIRE(equation.bars.size() == 3);
        CHECK(equation.bars[0].bytes == 4 * equation.bars[1].bytes);
        CHECK(equation.bars[1].label == "GQA 2");
    }
}

TEST_CASE("Ctrl+F6 shows at once where the keyboard is", "[run_window]") {
    RunWindow window("explore", {1600, 900});
    for (int i = 0; i < 4; ++i) {
        window.press(ImGuiKey_F6, ImGuiMod_Ctrl);
        const ImGuiContext& g = *ImGui::GetCurrentContext();
        INFO(i << " " << g.NavWindow->Name);
        CHECK(g.NavId != 0);
        CHECK(g.IO.NavVisible);
    }
}

TEST_CASE("in the panels the arrow keys belong to the controls, until Esc", "[run_window]") {
    RunWindow window("learn", {1920, 1080});
    window.ask("run.step iteration");
    window.press(ImGuiKey_F6, ImGuiMod_Ctrl);
    window.press(ImGuiKey_F6, ImGuiMod_Ctrl);
    REQUIRE(ImGui::GetCurrentContext()->NavCursorVisible);
    window.press(ImGuiKey_RightArrow);
    CHECK(window.now().iteration == 39);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(ImGui::GetCurrentContext()->NavCursorVisible);
    window.press(ImGuiKey_RightArrow);
    CHECK(window.now().iteration == 40);
}

TEST_CASE("every layout draws a run in every theme, size and text scale", "[run_window][slow]") {
    for (PixelSize size : {PixelSize{1280, 720}, PixelSize{1920, 1080}, PixelSize{640, 360}})
        for (float scale : {0.8f, 1.0f, 2.0f, 3.0f}) {
            RunWindow window("explore", size, scale);
            for (ThemeName theme : kThemeNames)
                for (LayoutName layout : kLayoutNames) {
                    INFO(size.w << " x " << size.h << " at " << scale << ", " << name_of(layout));
                    window.state().settings.theme = theme;
                    window.state().layout = layout;
                    window.screen.draw(false);
                    window.screen.draw(false);
                    check_finite();
                }
        }
}

TEST_CASE("every panel draws every shipped scene at its start, middle and end", "[run_window]") {
    for (const char* scene : {"first", "learn", "explore", "paper-figure-6", "paper-figure-8"}) {
        RunWindow window(scene, {900, 600});
        for (const char* where : {"run.first", "run.forward", "run.last"}) {
            window.ask(where);
            for (const PanelRow& panel : panel_table()) {
                if (panel.id == PanelId::Help) continue;
                INFO(scene << ", " << where << ", " << panel.name);
                window.state().only_panel = panel.id;
                window.state().rebuild_docks = true;
                window.screen.draw(false);
                window.screen.draw(false);
                check_finite();
            }
            window.state().only_panel.reset();
        }
    }
}

TEST_CASE("the palette walks through folders and opens the scene that is found there",
          "[run_window][palette]") {
    const ScratchFolder scratch;
    const std::string at = scratch.path().string();
    std::filesystem::create_directories(at + "/deep/deeper");
    std::filesystem::copy(kv::test::source_dir() + "/assets/scenes/paper-figure-8.kvscene",
                          at + "/deep/deeper/found.kvscene");
    RunWindow window("learn");
    ImGuiIO& io = ImGui::GetIO();
    const auto press = [&](ImGuiKey key) {
        io.AddKeyEvent(key, true);
        window.screen.draw(true);
        io.AddKeyEvent(key, false);
        for (int i = 0; i < 4; ++i) window.screen.draw(true);
    };
    const auto type = [&](const std::string& text) {
        io.AddInputCharactersUTF8(text.c_str());
        for (int i = 0; i < 3; ++i) window.screen.draw(true);
    };
    apply_or_explain(window.state(), {"file.open_scene", {}});
    for (int i = 0; i < 3; ++i) window.screen.draw(true);
    REQUIRE(window.state().palette.open);
    type(at + "/de");
    press(ImGuiKey_Enter);
    CHECK(window.state().palette.query == at + "/deep/");
    type("dee");  // goes on behind the path
    press(ImGuiKey_Enter);
    CHECK(window.state().palette.query == at + "/deep/deeper/");
    type("fou");
    press(ImGuiKey_Enter);
    CHECK_FALSE(window.state().palette.open);
    for (int i = 0; i < 60 && window.state().settings.recent_scenes.empty(); ++i)
        window.screen.draw(true);
    CHECK(window.state().settings.recent_scenes ==
          std::vector<std::string>{at + "/deep/deeper/found.kvscene"});
    CHECK(window.run().scene == "paper-figure-8");
}

TEST_CASE("an unknown scene and a wrong setting are said in a sentence", "[run_window]") {
    RunWindow window("learn");
    apply_or_explain(window.state(), {"file.open_scene", std::string("/no/such.kvscene")});
    window.screen.draw(true);
    window.screen.draw(true);
    REQUIRE(window.state().notice);
    CHECK(window.state().notice->refused);
    window.state().notice.reset();
    apply_or_explain(window.state(), {"run.set", std::string("block_size none")});
    window.screen.draw(true);
    window.screen.draw(true);
    REQUIRE(window.state().notice);
    CHECK(window.state().notice->refused);
    CHECK(window.now().iteration == 39);
}

namespace {

// A hundred thousand in all, a tenth of that under the sanitizers, which take ten times as long;
// KVARIUM_MONKEY multiplies it for a long run.
int monkey_events() {
#if defined(KV_ADDRESS_SANITIZER) || defined(KV_THREAD_SANITIZER)
    constexpr int kEach = 2'500;
#else
    constexpr int kEach = 25'000;
#endif
    const char* times = std::getenv("KVARIUM_MONKEY");
    return kEach * (times == nullptr ? 1 : std::max(1, std::atoi(times)));
}

// Keys, clicks, drags and wheels at random; Dear ImGui's own checks are armed, and after every
// frame all positions are finite and the selection lies inside the run.
void let_a_monkey_at_it(const char* scene, PixelSize size, unsigned seed) {
    RunWindow window(scene, size);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    constexpr ImGuiKey kKeys[] = {ImGuiKey_LeftArrow,   ImGuiKey_RightArrow,
                                  ImGuiKey_UpArrow,     ImGuiKey_DownArrow,
                                  ImGuiKey_Space,       ImGuiKey_Home,
                                  ImGuiKey_End,         ImGuiKey_Tab,
                                  ImGuiKey_LeftBracket, ImGuiKey_RightBracket,
                                  ImGuiKey_N,           ImGuiKey_P,
                                  ImGuiKey_K,           ImGuiKey_V,
                                  ImGuiKey_F1,          ImGuiKey_F2,
                                  ImGuiKey_F3,          ImGuiKey_F4,
                                  ImGuiKey_F6,          ImGuiKey_F7,
                                  ImGuiKey_Escape,      ImGuiKey_Enter,
                                  ImGuiKey_T,           ImGuiKey_U};
    ImGuiIO& io = ImGui::GetIO();
    for (int event = 0; event < monkey_events(); ++event) {
        const int kind = below(10);
        if (kind < 4) {
            const ImGuiKey key = kKeys[below(std::size(kKeys))];
            io.AddKeyEvent(key, true);
            window.screen.draw(true);
            io.AddKeyEvent(key, false);
        } else if (kind < 8) {
            io.AddMousePosEvent(static_cast<float>(below(static_cast<unsigned>(size.w))),
                                static_cast<float>(below(static_cast<unsigned>(size.h))));
            if (kind == 7) io.AddMouseButtonEvent(0, below(2) == 0);
        } else {
            io.AddMouseWheelEvent(0, static_cast<float>(below(5) - 2));
        }
        window.screen.draw(true);
        check_finite();
        const RunView* run = window.screen.run().view();
        REQUIRE(run != nullptr);
        REQUIRE(window.state().run.focus.layer < run->layout.n_layers);
        REQUIRE(window.state().run.focus.kv_head < run->layout.n_kv_heads);
        window.state().quit = false;
    }
    io.AddMouseButtonEvent(0, false);
    window.screen.draw(true);
}

}  // namespace

TEST_CASE("a monkey breaks nothing in Learn", "[run_window][monkey][slow]") {
    let_a_monkey_at_it("learn", {1280, 720}, 7);
}
TEST_CASE("a monkey breaks nothing in Explore", "[run_window][monkey][slow]") {
    let_a_monkey_at_it("explore", {1920, 1080}, 8);
}
TEST_CASE("a monkey breaks nothing in Present", "[run_window][monkey][slow]") {
    let_a_monkey_at_it("present", {1024, 768}, 9);
}
TEST_CASE("a monkey breaks nothing in Compare", "[run_window][monkey][slow]") {
    let_a_monkey_at_it("compare", {1440, 900}, 10);
}
