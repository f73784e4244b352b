// The Stage on the null surface: every theme, scale and size draws, and mouse and keyboard ask for
// what they should.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>

#include "app/panels/stage/plan/plan.hpp"
#include "app/panels/stage/stage.hpp"
#include "app/shell/surface/gui.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// The panel in a window of its own, without padding, so that the plan's numbers are the screen's.
class StageBench {
public:
    StageBench(PixelSize size, ThemeName theme, float unit)
        : surface_(open_null(size)), gui_(*surface_), colors_(palette(theme)), unit_(unit) {
        gui_.set_style(colors_, unit);
        ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    }

    void frames(const RunView& run, int count = 2) {
        for (int i = 0; i < count; ++i) frame(run);
    }
    void point(const RunView& run, Vec2 at) {
        ImGui::GetIO().AddMousePosEvent(at.x, at.y);
        frames(run);
    }
    void click(const RunView& run, Vec2 at) {
        point(run, at);
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        frame(run);
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        frames(run);
    }
    void press(const RunView& run, ImGuiKey key) {
        ImGui::GetIO().AddKeyEvent(key, true);
        frame(run);
        ImGui::GetIO().AddKeyEvent(key, false);
        frames(run);
    }
    std::vector<std::string> asked() {
        std::vector<std::string> said;
        for (const Command& command : sink.take()) said.push_back(print(command));
        return said;
    }

    RunFocus focus;
    StageUi own;
    Texts texts;
    CommandSink sink;

private:
    void frame(const RunView& run) {
        surface_->wait_events(0.0);
        gui_.begin_frame();
        focus.new_frame();
        const Ui ui{colors_, gui_.fonts(), texts, sink, unit_, true};
        ImGui::SetNextWindowPos(ImGui::GetMainViewport()->Pos);
        ImGui::SetNextWindowSize(ImGui::GetMainViewport()->Size);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        ImGui::PopStyleVar(2);
        draw_stage(ui, run, focus, own);
        ImGui::End();
        gui_.end_frame(colors_.app);
    }

    std::unique_ptr<Surface> surface_;
    Gui gui_;
    const Palette& colors_;
    float unit_;
};

// Two requests that share a block, one that waits, a block in the host tier and one given up.
ToldRun busy_run() {
    ToldRun told(48, 16, 24);
    const SeqId a = told.add(40, 39, {11, 22, 44});
    const SeqId b = told.add(60, 58, {11, 19, 3, 4});
    told.add(72, 0, {});
    told.tell(TransferStarted{.from = Medium::Device,
                              .to = Medium::Host,
                              .from_id = 3,
                              .to_id = 5,
                              .entry = 2,
                              .slots = 16,
                              .bytes = 8192},
              b);
    told.tell(
        TransferFinished{.from = Medium::Device, .to = Medium::Host, .from_id = 3, .to_id = 5}, b);
    told.tell(BlockFreed{LaneId(0), BlockId(3), 2, false}, b);
    told.tell(BlockFreed{LaneId(0), BlockId(19), 1, false}, b);
    told.tell(IterationStarted{});
    told.tell(TokensScheduled{39, 1}, a);
    told.tell(Operation{.op = Op::Append, .layer = LayerId(2)});
    return told;
}

StagePlan plan_of(PixelSize room) {
    return plan_stage({static_cast<float>(room.w), static_cast<float>(room.h)}, {.unit = 1,
                                                                                 .spill = 16,
                                                                                 .block_size = 16,
                                                                                 .n_rows = 3,
                                                                                 .anchor = 2,
                                                                                 .scroll = 0,
                                                                                 .n_others = 2,
                                                                                 .longest_other = 5,
                                                                                 .n_blocks = 48,
                                                                                 .n_host = 24});
}

constexpr PixelSize kLearn{968, 760};

}  // namespace

TEST_CASE("the Stage draws in every theme, scale and size", "[stage][draw]") {
    const ToldRun told = busy_run();
    for (const ThemeName theme : kThemeNames) {
        for (const float unit : {0.8f, 1.0f, 2.0f, 3.0f}) {
            for (const PixelSize size :
                 {PixelSize{1, 1}, {608, 314}, {968, 726}, {200, 1200}, {4000, 3000}}) {
                StageBench bench(size, theme, unit);
                bench.focus.token = 37;
                CHECK_NOTHROW(bench.frames(told.view()));
                CHECK(bench.sink.empty());  // drawing alone asks for nothing
            }
        }
    }
}

TEST_CASE("the Stage draws pools of any size, and before anything has happened", "[stage][draw]") {
    for (const std::uint32_t n : {8u, 48u, 1024u, 65'536u, 1'000'000u}) {
        ToldRun told(n, 16);
        StageBench bench({968, 726}, ThemeName::Dark, 1);
        CHECK_NOTHROW(bench.frames(told.view()));
        told.add(90, 90, {0, 1, 2, 3, 4, n - 1});
        CHECK_NOTHROW(bench.frames(told.view()));
    }
    for (const std::uint32_t block_size : {1u, 4u, 8u, 32u, 128u}) {
        ToldRun told(48, block_size);
        told.add(3 * block_size, 2 * block_size + 1, {4, 5, 6});
        StageBench bench({800, 514}, ThemeName::Light, 1);
        CHECK_NOTHROW(bench.frames(told.view()));
    }
}

TEST_CASE("a click on a token selects it, and one in a strip takes its request into focus",
          "[stage][draw]") {
    const ToldRun told = busy_run();
    StageBench bench(kLearn, ThemeName::Dark, 1);
    const StagePlan plan = plan_of(kLearn);
    bench.click(told.view(), plan.chip(plan.rows[2], 5).center());
    CHECK(bench.asked() == std::vector<std::string>{"select.token 37"});
    const Rect strip = plan.strip(0);
    bench.click(told.view(), {strip.x + 2.5f * plan.strip_bar_pitch, strip.y + 4});
    CHECK(bench.asked() == std::vector<std::string>{"focus.request B", "select.token 2"});
}

TEST_CASE("a click on a block selects it, a drag of the pool does not", "[stage][draw]") {
    const ToldRun told = busy_run();
    StageBench bench(kLearn, ThemeName::Dark, 1);
    const PoolGrid grid = fit_pool(plan_of(kLearn).pool, 48, 1);
    bench.click(told.view(), grid.cell(44).center());
    CHECK(bench.asked() == std::vector<std::string>{"select.block 44"});
    bench.point(told.view(), grid.cell(20).center());
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    bench.frames(told.view(), 1);
    bench.point(told.view(), grid.cell(10).center());
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    bench.frames(told.view(), 2);
    CHECK(bench.asked().empty());
}

TEST_CASE("pointing at a block or a token is told to all panels", "[stage][draw]") {
    const ToldRun told = busy_run();
    StageBench bench(kLearn, ThemeName::Dark, 1);
    const StagePlan plan = plan_of(kLearn);
    bench.point(told.view(), fit_pool(plan.pool, 48, 1).cell(22).center());
    CHECK(bench.focus.next_pointed.block == BlockId(22));
    bench.point(told.view(), plan.chip(plan.rows[0], 3).center());
    CHECK(bench.focus.next_pointed.token == TokenAt{SeqId(0), 3});
    CHECK_FALSE(bench.focus.next_pointed.block);
}

TEST_CASE("pointing at the factor of tokens rings every block that holds some", "[stage][draw]") {
    const ToldRun told = busy_run();
    StageBench bench(kLearn, ThemeName::Dark, 1);
    const auto vertices = [&] {
        bench.frames(told.view(), 1);
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    bench.frames(told.view());
    const int plain = vertices();
    bench.focus.next_pointed.factor = BillFactor::Tokens;
    const int ringed = vertices();
    CHECK(ringed > plain);
    // One ring a block that somebody holds, all alike.
    int held = 0;
    for (std::size_t i = 0; i < told.trace.end().lanes[0].blocks.size(); ++i)
        held += told.trace.end().lanes[0].blocks[i].ref_count > 0;
    CHECK((ringed - plain) % held == 0);
    bench.focus.next_pointed.factor = BillFactor::Layers;
    CHECK(vertices() == plain);
}

TEST_CASE("the wheel over the pool zooms, and 0 shows it whole again", "[stage][draw]") {
    const ToldRun told = busy_run();
    StageBench bench(kLearn, ThemeName::Dark, 1);
    bench.point(told.view(), fit_pool(plan_of(kLearn).pool, 48, 1).cell(22).center());
    ImGui::GetIO().AddMouseWheelEvent(0, 2);
    bench.frames(told.view(), 2);
    CHECK(bench.own.pool.zoom > 1.2f);
    bench.press(told.view(), ImGuiKey_Tab);
    bench.press(told.view(), ImGuiKey_0);
    CHECK(bench.own.pool.zoom == 1);
}

TEST_CASE("with the keyboard in the canvas arrows move the selection", "[stage][draw]") {
    const ToldRun told = busy_run();
    StageBench bench(kLearn, ThemeName::Dark, 1);
    bench.focus.token = 20;
    bench.frames(told.view());
    bench.press(told.view(), ImGuiKey_Tab);
    bench.press(told.view(), ImGuiKey_RightArrow);
    bench.press(told.view(), ImGuiKey_UpArrow);
    CHECK(bench.asked() == std::vector<std::string>{"select.token 21", "select.token 4"});
    bench.focus.token = 39;
    bench.press(told.view(), ImGuiKey_DownArrow);  // no token lies there
    CHECK(bench.asked() == std::vector<std::string>{"select.token 39"});
}
