// The window with a pool of a hundred thousand blocks, of which one in a hundred changes before
// every frame: what building the picture costs, beside the same pool as one rectangle per block,
// and what drawing it in software costs, beside an empty window.

#include <imgui.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "app/panels/stage/stage.hpp"
#include "app/shell/surface/gui.hpp"
#include "app/shell/surface/surface.hpp"
#include "bench/allocations.hpp"
#include "bench/books/large_pool.hpp"
#include "bench/cpu/model.hpp"
#include "bench/row.hpp"
#include "bench/window/explore_window.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

constexpr PixelSize kWindow{1920, 1080};
constexpr std::size_t kWarmUp = 12;

double ms_of(const std::function<void()>& work) {
    return 1e3 * seconds_of(work);
}

// What is written first: a filled rectangle for every block of the pool.
void draw_naively() {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::uint32_t block = 0; block < LargePool::kBlocks; ++block) {
        const float x = static_cast<float>(block % 400) * 2,
                    y = static_cast<float>(block / 400) * 2;
        list.AddRectFilled({x, y}, {x + 1, y + 1}, IM_COL32(200, 180, 40, 255));
    }
}

// The Stage in a window of its own, as large as in Explore, and nothing else.
class StageAlone {
public:
    StageAlone() : surface_(open_null(kWindow)), gui_(*surface_) {
        gui_.set_style(palette(ThemeName::Dark), 1);
    }
    template <class Draw>
    double frame(Draw draw) {
        gui_.begin_frame();
        ImGui::SetNextWindowPos({304, 48});
        ImGui::SetNextWindowSize({832, 560});
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        const double ms = ms_of(draw);
        ImGui::End();
        gui_.end_frame(palette(ThemeName::Dark).app);
        return ms;
    }
    double stage(const RunView& run) {
        const Ui ui{palette(ThemeName::Dark), gui_.fonts(), texts_, sink_, 1, true};
        focus_.new_frame();
        return frame([&] { draw_stage(ui, run, focus_, own_); });
    }

private:
    std::unique_ptr<Surface> surface_;
    Gui gui_;
    Texts texts_;
    CommandSink sink_;
    RunFocus focus_;
    StageUi own_;
};

Figure figure(std::string name, std::string unit, std::vector<double> samples) {
    return {std::move(name), std::move(unit), spread_of(std::move(samples))};
}

double percentile(std::vector<double> samples, double percent) {
    std::sort(samples.begin(), samples.end());
    const double at = percent / 100 * static_cast<double>(samples.size() - 1);
    return samples[static_cast<std::size_t>(at)];
}

}  // namespace

Result measure_ui_frame_100k(const Programs&, std::size_t samples) {
    const std::size_t frames = samples * 20;
    std::vector<double> stage_ms, plain_ms, frame_ms, asked;
    {
        LargePool pool;
        StageAlone alone;
        for (std::size_t i = 0; i < frames + kWarmUp; ++i) {
            pool.step();
            const double stage = alone.stage(pool.view()), plain = alone.frame(draw_naively);
            if (i < kWarmUp) continue;
            stage_ms.push_back(stage), plain_ms.push_back(plain);
        }
    }
    LargePool pool;
    ExploreWindow window(open_null(kWindow));
    for (std::size_t i = 0; i < frames + kWarmUp; ++i) {
        pool.step();
        const RunView run = pool.view();
        const std::uint64_t before = allocations();
        const double ms = ms_of([&] { window.build(run); });
        if (i >= kWarmUp)
            asked.push_back(static_cast<double>(allocations() - before)), frame_ms.push_back(ms);
        window.end();
    }
    Result result;
    result.row = "ui_frame_100k";
    result.what =
        "building the Stage over 100,000 blocks of which 1 % changed, against a rectangle per "
        "block";
    result.figures = {figure("Stage", "ms", stage_ms),
                      figure("a rectangle per block", "ms", plain_ms),
                      figure("all panels", "ms", frame_ms),
                      figure("all panels, 99 of 100", "ms", {percentile(frame_ms, 99)}),
                      figure("all panels, allocations", "a frame", asked)};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.goal = 0.1;
    return result;
}

Result measure_ui_llvmpipe(const Programs&, std::size_t samples) {
    Result result;
    result.row = "ui_llvmpipe_60fps";
    result.what =
        "a frame of all panels over 100,000 blocks, drawn in software, against an empty window";
    std::unique_ptr<Surface> surface;
    try {
        surface = open_headless(kWindow, Renderer::Gl);
    } catch (const Error& none) {
        result.skipped = none.what();
        return result;
    }
    result.done_by = surface->renderer();
    LargePool pool;
    ExploreWindow window(std::move(surface));
    const auto timed = [&](const std::function<void()>& build) {
        return ms_of([&] {
            build();
            window.end();  // returns when it is drawn
        });
    };
    std::vector<double> full, empty;
    for (std::size_t i = 0; i < samples * 5 + kWarmUp; ++i) {
        pool.step();
        const RunView run = pool.view();
        const double all = timed([&] { window.build(run); });
        const double none = timed([&] { window.build_empty(); });
        if (i < kWarmUp) continue;
        full.push_back(all), empty.push_back(none);
    }
    result.figures = {figure("all panels", "ms", full), figure("empty window", "ms", empty)};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.goal = 2.0;
    return result;
}

}  // namespace kv::bench
