// Compare in the whole window: what it opens with, the way from a difference to its event, strips
// that unfold; and zooming that fades.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/frame/dock/dock.hpp"
#include "app/panels/stage/ui.hpp"
#include "app/widgets/paint/paint.hpp"
#include "tests/app/window_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct PairWindow : WindowBench {
    PairWindow(const char* scene, PixelSize size, const std::string& layout = {})
        : WindowBench(size) {
        open(scene);
        ask("layout." + (layout.empty() ? scene : layout));
    }
};

}  // namespace

TEST_CASE("the tabs of both sides say what each side is", "[pair_window]") {
    PairWindow window("compare", {1280, 720});
    const auto says = [&](const std::string& words) {
        const auto written = window.written();
        return std::any_of(written.begin(), written.end(),
                           [&](const WrittenText& text) { return text.text == words; });
    };
    CHECK(says("Left: Sliding window"));
    CHECK(says("Right: SnapKV"));
    window.ask("run.swap_sides");
    CHECK(says("Left: SnapKV"));
    window.ask("run.compare k_codec int8");
    CHECK(says("Right: K stored as int8"));
}

TEST_CASE("the note of a difference leads to the event log", "[pair_window]") {
    PairWindow window("compare", {1920, 1080});
    const std::vector<WrittenText> written = window.written();
    const auto link = std::find_if(written.begin(), written.end(), [](const WrittenText& text) {
        return text.text == "Show in the Event log";
    });
    REQUIRE(link != written.end());
    window.click(link->rect.center());
    CHECK(window.state().layout == LayoutName::Explore);
}

TEST_CASE("a press on a strip unfolds the words around it, and the needle brings its own back",
          "[pair_window]") {
    PairWindow window("needle", {1280, 720}, "compare");
    const auto find = [&](const std::string& begin) {
        const std::vector<WrittenText> written = window.written();
        const auto found = std::find_if(written.begin(), written.end(), [&](const auto& text) {
            return text.text.rfind(begin, 0) == 0;
        });
        return found == written.end() ? std::nullopt : std::optional(found->rect);
    };
    const auto key = find("The text, a cell for each token");
    REQUIRE(key);
    CHECK(find("the needle, tokens 28 to 35"));
    CHECK(find("cellar"));
    CHECK_FALSE(find("Greta"));  // of the first words
    window.click({key->x + 4, key->bottom() + 8});
    CHECK(window.state().run.pair.unfold.at == 0);
    CHECK(find("Greta"));
    CHECK_FALSE(find("the needle, tokens"));
    window.click(find("needle lost")->center());
    CHECK_FALSE(window.state().run.pair.unfold.at);
    CHECK(find("the needle, tokens 28 to 35"));
}

TEST_CASE("a request that has ended keeps no needle", "[pair_window]") {
    PairWindow window("needle", {1280, 720}, "compare");
    const auto badges = [&] {
        const std::vector<WrittenText> written = window.written();
        return std::count_if(written.begin(), written.end(), [](const WrittenText& text) {
            return text.text.rfind("needle ", 0) == 0;
        });
    };
    CHECK(badges() == 2);
    window.ask("run.goto 8");  // the left side says its last token there
    CHECK(badges() == 1);
}

TEST_CASE("Compare opens with the own run beside the full cache", "[pair_window]") {
    PairWindow window("first", {1280, 720}, "explore");
    window.ask("run.set evict window:8");
    window.ask("layout.compare");
    REQUIRE(window.screen.run().other_view() != nullptr);
    const auto says = [&](const std::string& words) {
        const std::vector<WrittenText> written = window.written();
        return std::any_of(written.begin(), written.end(),
                           [&](const WrittenText& text) { return text.text == words; });
    };
    CHECK(says("Sliding window"));
    CHECK(says("Full cache"));
    window.ask("run.end_comparison");
    CHECK(window.screen.run().other_view() == nullptr);
    CHECK(says("Hold it against"));
}

TEST_CASE("the halves of Compare are equal at every size", "[pair_window][heavy]") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1366, 768}, PixelSize{1600, 900},
                                 PixelSize{1920, 1080}, PixelSize{2560, 1440}}) {
        PairWindow window("needle", size, "compare");
        const auto left = panel_in_view(LayoutName::Compare, PanelId::Left),
                   right = panel_in_view(LayoutName::Compare, PanelId::Right);
        REQUIRE((left && right));
        INFO(size.w << "x" << size.h);
        CHECK(left->w == right->w);
        CHECK(left->h == right->h);
        if (size.w == 1280) CHECK(left->w == 634);
    }
}

TEST_CASE("nothing of Compare folds or scrolls in a window of 1280 x 720", "[pair_window]") {
    PairWindow window("needle", {1280, 720}, "compare");
    window.settle();
    for (const PanelId panel : {PanelId::Summary, PanelId::Left, PanelId::Right, PanelId::Memory}) {
        const ImGuiWindow* shown = window_of(LayoutName::Compare, panel);
        REQUIRE(shown != nullptr);
        INFO(row_of(panel).name);
        CHECK(shown->ScrollMax.y == 0);
    }
}

TEST_CASE("the old drawing of a zoomed pool is gone after 120 ms", "[stage]") {
    CHECK(fade_left(0) == 1.0f);
    CHECK(fade_left(0.03) == 0.75f);
    CHECK(fade_left(0.12) == 0.0f);
    CHECK(fade_left(9) == 0.0f);
}

TEST_CASE("zooming into another class fades, and with reduced motion it cuts", "[stage][heavy]") {
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
