#include <array>
#include <catch2/catch_test_macros.hpp>

#include "app/panels/bill/panels.hpp"
#include "app/panels/charts/without_run_layout.hpp"
#include "tests/app/picture.hpp"

using namespace kv;

TEST_CASE("six charts stand in three columns in Explore's room", "[without_run]") {
    const ChartGrid grid = layout_chart_grid({800, 320}, 6, 1);
    CHECK(grid.columns == 3);
    CHECK(grid.rows == 2);
    REQUIRE(grid.cells.size() == 6);
    CHECK(grid.cells[0] == Rect{0, 0, 253, 152});
    CHECK(grid.cells[4] == Rect{273, 168, 253, 152});
    CHECK(grid.height == 320);
}

TEST_CASE("two charts stand side by side, also where there is little room", "[without_run]") {
    CHECK(layout_chart_grid({630, 200}, 2, 1).columns == 2);
    // Seven do not fill two rows, and still do not stand one over the other.
    const ChartGrid seven = layout_chart_grid({800, 320}, 7, 1);
    CHECK(seven.columns == 4);
    CHECK(seven.rows == 2);
    CHECK(seven.cells.size() == 7);
    CHECK(seven.height <= 320);
    CHECK(layout_chart_grid({288, 120}, 2, 1).columns == 2);
    CHECK(layout_chart_grid({300, 500}, 2, 1).columns == 1);
}

TEST_CASE("charts do not get flatter than they can be read", "[without_run]") {
    const ChartGrid grid = layout_chart_grid({300, 100}, 6, 1);
    CHECK(grid.columns == 2);  // three would be 87 wide, and their heads would touch
    CHECK(grid.cells[0].h == 76);
    CHECK(grid.height == 260);  // 3 * 76 + 2 * 16, more than the room: the panel scrolls
    CHECK(layout_chart_grid({600, 200}, 6, 2).cells[0].h == 152);
}

TEST_CASE("a low transport is a sentence and one track", "[without_run]") {
    const EmptyTransport plan = layout_empty_transport({1880, 64}, 1);
    CHECK(plan.sentence == Rect{0, 0, 1880, 32});
    REQUIRE(plan.lanes.size() == 1);
    CHECK(plan.lanes[0] == Rect{0, 43, 1880, 10});
    CHECK(!plan.layer);
}

TEST_CASE("a high transport has lanes, blocks and two zoom rows that do not overlap",
          "[without_run]") {
    const EmptyTransport plan = layout_empty_transport({1214, 228}, 1);
    REQUIRE(plan.op);
    CHECK(*plan.op == Rect{52, 206, 1162, 22});
    CHECK(*plan.layer == Rect{52, 172, 1162, 22});
    REQUIRE(plan.lanes.size() == 4);
    CHECK(plan.lanes[0].y == 50);
    CHECK(plan.lanes[3].y == 122);
    CHECK(*plan.blocks == Rect{52, 134, 1162, 24});
    CHECK(plan.blocks->bottom() <= plan.layer->y);
}

TEST_CASE("a panel without a run leads to the calculator by keyboard", "[without_run]") {
    const auto surface = open_null({480, 300});
    Gui gui(*surface);
    const Texts texts;
    CommandSink sink;
    const Ui ui{palette(ThemeName::Dark), gui.fonts(), texts, sink};
    const auto frame = [&](ImGuiKey key, bool down) {
        ImGui::GetIO().AddKeyEvent(key, down);
        gui.begin_frame();
        draw_full_window(
            [](const Ui& u) { draw_empty_words(u, "panel.stage.empty"_t, "panel.stage.why"_t); },
            ui);
        gui.end_frame(ui.colors.app);
    };
    for (const ImGuiKey key : {ImGuiKey_Tab, ImGuiKey_Space}) {
        frame(key, false);
        frame(key, true);
        frame(key, false);
    }
    frame(ImGuiKey_Space, false);
    const auto commands = sink.take();
    REQUIRE(commands.size() == 1);
    CHECK(print(commands[0]) == "panel.show calculator");
}

TEST_CASE("panels without a run draw in every theme and size", "[without_run]") {
    const BillInputs bill = default_bill();
    for (const ThemeName theme : kThemeNames)
        for (const float unit : {1.0f, 2.0f})
            for (const PixelSize size :
                 {PixelSize{40, 30}, PixelSize{296, 412}, PixelSize{1912, 252}}) {
                const auto surface = open_null(size);
                Gui gui(*surface);
                draw_frames(*surface, gui, theme, unit, [&](const Ui& ui) {
                    draw_charts_without_run(ui);
                    draw_mini_charts_without_run(ui);
                    draw_transport_without_run(ui);
                    draw_requests_without_run(ui, bill);
                });
                CHECK(ImGui::GetDrawData()->TotalVtxCount > 0);
            }
}
