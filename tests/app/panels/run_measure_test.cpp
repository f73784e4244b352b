// The charts, the equation and the roofline of a run. The numbers of the stock scenes were read off
// `kvarium run --scene assets/scenes/explore.kvscene --until-step 112 --json`.
#include <imgui.h>

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "app/live/looks/measure_roofs.hpp"
#include "app/panels/charts/equation_plan.hpp"
#include "app/panels/charts/panels.hpp"
#include "app/panels/charts/plan.hpp"
#include "app/panels/charts/roofline_plan.hpp"
#include "app/panels/view/facts.hpp"
#include "app/shell/surface/gui.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// A stock scene with what is measured of it.
class SampleRun {
public:
    explicit SampleRun(const std::string& scene) : played_(scene_named(scene)) {}

    RunSession& session() { return played_.session; }
    RunView view() {
        RunView view = played_.view();
        view.id = 1, view.samples = session().series().samples();
        return view;
    }
    RunView view(std::uint32_t iteration) {
        session().to_iteration(iteration);
        return view();
    }
    const RunHistory& history() {
        history_.catch_up(1, session().trace());
        return history_;
    }

private:
    PlayedRun played_;
    RunHistory history_;
};

// Played once for all tests; each begins at step 112.
SampleRun& explore() {
    static SampleRun run("explore");
    run.session().to_iteration(112);
    return run;
}

RunSeries series_of(SampleRun& run) {
    RunSeries series;
    series.catch_up(run.view(), run.history());
    return series;
}

RunChart chart_at(SampleRun& run, ChartKind kind, bool mini = false) {
    const RunSeries series = series_of(run);
    const RunView view = run.view();
    const ChartStep shown = shown_step(view, series, run.history(), std::nullopt);
    return plan_chart(kind, {view, series, shown, whole_range(series), mini}, Texts());
}

// A series of so many made-up samples.
struct Made {
    std::vector<Sample> samples;
    RunSeries series;
    Made(SampleRun& run, std::size_t n) {
        std::mt19937 random(7);
        for (std::uint32_t i = 1; i <= n; ++i) {
            Sample sample;
            sample.iteration = i, sample.moment = i;
            sample.tokens = random() % 1000;
            samples.push_back(sample);
        }
        samples[n / 3].tokens = 5000;
        RunView view = run.view();
        view.samples = samples;
        series.catch_up(view, RunHistory());
    }
};

}  // namespace

TEST_CASE("the least and greatest of a stretch are those of its values", "[charts]") {
    std::mt19937 random(3);
    Extremes extremes;
    std::vector<double> values;
    for (int i = 0; i < 5000; ++i) {
        const double value = i % 7 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : static_cast<double>(random() % 100000);
        values.push_back(value), extremes.push(value);
    }
    for (int i = 0; i < 2000; ++i) {
        std::size_t first = random() % 5001, last = random() % 5001;
        if (first > last) std::swap(first, last);
        double low = INFINITY, high = -INFINITY;
        for (std::size_t k = first; k < last; ++k) {
            if (std::isnan(values[k])) continue;
            low = std::min(low, values[k]), high = std::max(high, values[k]);
        }
        const Extent extent = extremes.of(first, last);
        if (low > high) {
            REQUIRE(std::isnan(extent.low));
        } else {
            REQUIRE(extent.low == low);
            REQUIRE(extent.high == high);
        }
    }
}

TEST_CASE("a long run is thinned to its pixels and keeps its peaks", "[charts]") {
    const Made made(explore(), 100'000);
    const CurvePoints points = line_points(made.series, RunCurve::Computed, 0, 100'000, 300);
    CHECK(points.xs.size() <= 600);
    CHECK(points.xs.size() > 300);
    CHECK(*std::max_element(points.ys.begin(), points.ys.end()) == 5000);
    CHECK(std::is_sorted(points.xs.begin(), points.xs.end()));
    const CurvePoints tops = top_points(made.series, RunCurve::Computed, 0, 100'000, 300);
    CHECK(tops.xs.size() == 300);
    CHECK(*std::max_element(tops.ys.begin(), tops.ys.end()) == 5000);
    const CurvePoints few = line_points(made.series, RunCurve::Computed, 10, 15, 300);
    CHECK(few.xs == std::vector<double>{11, 12, 13, 14, 15});
}

TEST_CASE("a value is held back to the step before", "[charts]") {
    CurvePoints points;
    points.add(1, 5), points.add(2, 8), points.add(3, 6);
    const CurvePoints held = held_back(points);
    CHECK(held.xs == std::vector<double>{1, 1, 2, 2, 3});
    CHECK(held.ys == std::vector<double>{5, 8, 8, 6, 6});
}

TEST_CASE("a bar stands over its own step, the first one too", "[charts]") {
    CurvePoints points;
    points.add(1, 5), points.add(2, 8);
    const CurvePoints bars = as_bars(points);
    CHECK(bars.xs == std::vector<double>{0.5, 1.5, 1.5, 2.5});
    CHECK(bars.ys == std::vector<double>{5, 5, 8, 8});
}

TEST_CASE("the charts say what the command line says of the same step", "[charts]") {
    SampleRun& run = explore();
    const RunChart memory = chart_at(run, ChartKind::Memory);
    REQUIRE(memory.labels.size() == 3);
    CHECK(memory.labels[0].value == "376");  // 47 blocks of 8 KiB
    CHECK(memory.labels[1].value == "224");
    CHECK(memory.labels[2].value == "201.5");  // 403 x 512 B
    CHECK(memory.y_max == 384 * 1024);
    const auto only = [&](ChartKind kind) {
        const RunChart chart = chart_at(run, kind);
        REQUIRE(chart.labels.size() == 1);
        return chart.labels[0].value + ", " + chart.labels[0].caption;
    };
    CHECK(only(ChartKind::Utilisation) == "90.0%, 403 / 448");
    CHECK(only(ChartKind::HitRate) == "26.3%, 262 / 996");
    CHECK(only(ChartKind::Computed) == "38, 918 in all");
    CHECK(only(ChartKind::Evicted) == "1, 81 in all");
    CHECK(only(ChartKind::Read) == "1,074, 2,148 × 512 B");
    CHECK(only(ChartKind::Offloaded) == "12, of 24");
}

TEST_CASE("bytes read are those of the formula, and host blocks those of the state", "[charts]") {
    SampleRun& run = explore();
    const RunSeries series = series_of(run);
    const RunView view = run.view();
    REQUIRE(series.size() == 112);
    for (std::size_t i = 0; i < series.size(); ++i) {
        CAPTURE(i);
        REQUIRE(series.of(RunCurve::Read)[i] == series.of(RunCurve::Formula)[i]);
        const Snapshot then = view.trace.at(view.samples[i].moment);
        REQUIRE(view.samples[i].host_blocks == count_pool(then).host_held);
        REQUIRE(series.of(RunCurve::Live)[i] ==
                static_cast<double>(512 * count_pool(then).live_slots));
    }
    CHECK(view.samples.back().host_blocks == 12);
}

TEST_CASE("a step that is pointed at is written out instead of the cursor's", "[charts]") {
    SampleRun& run = explore();
    const RunSeries series = series_of(run);
    const ChartStep shown = shown_step(run.view(), series, run.history(), 2);
    CHECK(shown.sample.iteration == 2);
    CHECK(shown.sample.live_tokens == 76);
    CHECK(shown.computed_all == 76);
    CHECK(shown_step(run.view(), series, run.history(), 5000).sample.iteration == 112);
}

TEST_CASE("within a step the charts show the state, and what the last step did", "[charts]") {
    SampleRun run("first");
    run.session().to_iteration(3);
    const std::uint64_t read = run.session().series().samples().back().kv_bytes_read;
    run.session().forward(Granularity::Operation);
    const RunView view = run.view();
    REQUIRE(view.now.in_iteration);
    const Sample sample = sample_at_cursor(view);
    CHECK(sample.iteration == 4);
    CHECK(sample.used_blocks == count_pool(view.now).used);
    CHECK(sample.kv_bytes_read == read);
}

TEST_CASE("marks of steps stand apart and the bold one stays", "[charts]") {
    const auto names = [](const std::vector<AxisMark>& marks) {
        std::vector<std::string> out;
        for (const AxisMark& mark : marks) out.push_back(mark.label);
        return out;
    };
    CHECK(names(step_marks({1, 112}, 112, 2, 40)) == std::vector<std::string>{"112", "1", "56"});
    CHECK(names(step_marks({1, 112}, 60, 2, 40)) == std::vector<std::string>{"60", "1", "112"});
    CHECK(names(step_marks({1, 3}, std::nullopt, 5, 40)) == std::vector<std::string>{"1"});
}

TEST_CASE("a zoom lies inside the run and is never empty", "[charts]") {
    const StepRange whole{1, 100};
    CHECK(zoom_between(60, 20, whole) == StepRange{20, 60});
    CHECK(zoom_between(-5, 30, whole) == StepRange{1, 30});
    CHECK(zoom_between(100, 100, whole) == StepRange{99, 100});
    CHECK_FALSE(zoom_between(0, 200, whole));
}

TEST_CASE("bytes are written in the unit of their axis", "[charts]") {
    CHECK(in_unit(206336, unit_for_bytes(385024)) == "201.5");
    CHECK(in_unit(1108992, unit_for_bytes(1108992)) == "1,083");
    CHECK(unit_for_bytes(64.0 * 1024 * 1024).name == "MiB");
}

TEST_CASE("the equation of a run counts as the command line does", "[run_equation]") {
    SampleRun& run = explore();
    const RunEquation equation = plan_run_equation(run.view(), Texts());
    CHECK(equation.bytes.tokens == 403);
    CHECK(equation.bytes.formula == 206336);
    CHECK(equation.bytes.measured == 206336);
    CHECK(equation.bytes.empty_slots == 28);
    CHECK(equation.bytes.allocated == 229376);
    REQUIRE(equation.plan.terms.size() == 1);
    double product = 1;
    for (const EquationFactor& factor : equation.plan.terms[0].factors) product *= factor.amount;
    CHECK(product == 206336);
    CHECK(equation.bytes.dead_slots == 17);
    REQUIRE(equation.plan.rows.size() == 5);
    CHECK(equation.plan.rows[2].label == "+ 28 empty slots");
    CHECK(equation.plan.rows[3].label == "+ 17 dropped slots");
    CHECK(equation.plan.rows[4].label == "= allocated: 28 × 8,192");
    REQUIRE(equation.bars.size() == 3);
    CHECK(equation.bars[0].bytes == 4 * 206336);
    CHECK(equation.bars[1].current);
    CHECK(equation.bars[2].bytes == 206336 / 2);
}

TEST_CASE("formula and pool agree at every step of a run", "[run_equation]") {
    SampleRun& run = explore();
    for (const std::uint32_t step : {0u, 1u, 20u, 57u, 90u, 101u, 112u}) {
        const RunBytes bytes = bytes_of_run(run.view(step));
        CAPTURE(step);
        CHECK(bytes.formula == bytes.measured);
        CHECK(bytes.measured + bytes.empty + bytes.dead == bytes.allocated);
    }
}

TEST_CASE("formats that differ make two terms, and what is not stored so is told",
          "[run_equation]") {
    SampleRun& run = explore();
    RunView view = run.view();
    view.v_codec = Codec::F32;  // the pool has it in 16 bits
    const RunEquation equation = plan_run_equation(view, Texts());
    REQUIRE(equation.plan.terms.size() == 2);
    CHECK(equation.plan.terms[0].bytes == 103168);
    CHECK(equation.plan.terms[1].bytes == 206336);
    REQUIRE(equation.plan.rows.size() == 6);
    CHECK(equation.plan.rows[2].waste);
    CHECK(equation.plan.rows[2].bytes == 103168);
}

TEST_CASE("the roofline stands on what attention did", "[run_roofline]") {
    SampleRun& run = explore();
    RunView view = run.view();
    const AttentionNow now = attention_now(view, run.history());
    REQUIRE(now.last() != nullptr);
    CHECK(now.last()->iteration == 112);
    CHECK(now.last()->prefill);
    CHECK(now.last()->flops == 4 * 1099776);
    CHECK(now.last()->intensity() > 4);
    REQUIRE(now.decode);
    CHECK(now.decode->intensity() == 4);

    RunRoofline plan = plan_run_roofline(view, now, Texts());
    REQUIRE(plan.rings.size() == 3);
    CHECK(plan.rings[0].intensity == 1);
    CHECK(plan.rings[1].intensity == 4);
    CHECK(plan.rings[2].intensity == 8);
    // Pictures hold nothing that a clock said: the roofs are those of the bill's card, and the
    // marks stand at what these allow.
    CHECK(plan.peak == 989e12);
    CHECK(plan.bandwidth == 3.35e12);
    CHECK(plan.decode->flops == 4 * 3.35e12);
    CHECK(plan.rings[1].flops == 4 * 3.35e12);
    CHECK(plan.decode->label == "decode");
    CHECK(plan.state.starts_with("Modelled:"));

    view.roofs.state = MachineRoofs::State::Measuring;
    plan = plan_run_roofline(view, now, Texts());
    CHECK(plan.decode->flops == 0);
    CHECK(plan.peak == 0);

    view.roofs = {MachineRoofs::State::Measured, 10e9, 60e9, 2};
    plan = plan_run_roofline(view, now, Texts());
    CHECK(plan.ridge == 6);
    CHECK(plan.rings[1].flops == 40e9);
    CHECK(plan.rings[2].flops == 60e9);
    CHECK(plan.decode->flops == now.decode->rate());
    CHECK(plan.min_y <= plan.decode->flops);
}

// What a backend measured stands in its operations; whoever it was, the curves are their sums.
TEST_CASE("the time of a step is the sum of its parts, where clocks may be shown", "[charts]") {
    SampleRun& run = explore();
    RunView view = run.view(112);
    double all = 0, attention = 0;
    run.session().trace().each(0, run.session().trace().size(),
                               [&](std::uint64_t, const Event& event) {
                                   const auto* part = std::get_if<Operation>(&event.what);
                                   if (part == nullptr || event.iteration != 112) return;
                                   all += part->us;
                                   if (part->op == Op::Attend) attention += part->us;
                               });
    REQUIRE(attention > 0);
    const RunSeries series = series_of(run);
    const std::size_t at = series.first_at(112);
    CHECK(series.of(RunCurve::Time)[at] == all);
    CHECK(series.of(RunCurve::AttendTime)[at] == attention);

    const auto has_times = [&] {
        const auto kinds = chart_kinds(view, false);
        return std::count(kinds.begin(), kinds.end(), ChartKind::Time) == 1;
    };
    CHECK_FALSE(has_times());  // pictures hold nothing that a clock said
    view.roofs = {MachineRoofs::State::Measured, 10e9, 60e9, 2};
    CHECK(has_times());
    const ChartStep shown = shown_step(view, series, run.history(), {});
    const RunChart chart =
        plan_chart(ChartKind::Time, {view, series, shown, whole_range(series), false}, Texts());
    REQUIRE(chart.labels.size() == 2);
    CHECK(chart.labels[0].y == all);
    CHECK(chart.labels[1].y == attention);
    CHECK(chart.y_max >= all);
}

// Nine blocks of 2 KiB come back in step 11, each after 0.1 ms and at 1 MB/s: 9 x 2.148 ms, and
// 1 ms for the step itself.
TEST_CASE("where blocks came back, the modelled time of each step stands in a chart", "[charts]") {
    PlayedRun run(read_scene(kv::test::source_dir() + "/lessons/13-spilling-over/pause.kvscene"));
    const auto has_model_time = [&] {
        const auto kinds = chart_kinds(run.view(), false);
        return std::count(kinds.begin(), kinds.end(), ChartKind::ModelTime) == 1;
    };
    run.session.to_iteration(10);
    CHECK_FALSE(has_model_time());
    run.session.to_iteration(11);
    CHECK(has_model_time());

    const RunView view = run.view();
    RunHistory history;
    history.catch_up(view);
    RunSeries series;
    series.catch_up(view, history);
    const ChartStep shown = shown_step(view, series, history, {});
    const RunChart chart = plan_chart(ChartKind::ModelTime,
                                      {view, series, shown, whole_range(series), false}, Texts());
    REQUIRE(chart.labels.size() == 1);
    CHECK(chart.labels[0].y == Catch::Approx(1 + 9 * 2.148).epsilon(0.001));
    CHECK(series.of(RunCurve::ModelTime)[series.first_at(11)] == chart.labels[0].y);
    CHECK(chart.unit == "ms per step, by the time model");
    CHECK(chart.title == "Modelled time");
}

TEST_CASE("under a card's backend the roofs are named as those of the card", "[run_roofline]") {
    SampleRun& run = explore();
    RunView view = run.view(112);
    const AttentionNow now = attention_now(view, run.history());
    view.roofs = {MachineRoofs::State::Measured, 4e12, 60e12, 0};
    CHECK(plan_run_roofline(view, now, Texts()).state ==
          "Times and roofs are those of the GPU; every key counts once for a request and step.");
    view.roofs.threads = 2;
    CHECK(plan_run_roofline(view, now, Texts()).state ==
          "Measured on this machine with 2 threads; every key counts once for a request and step.");
}

TEST_CASE("the roofs of a machine are numbers above zero", "[run_roofline]") {
    const MachineRoofs roofs =
        measure_roofs({.threads = 2, .bytes = std::uint64_t{1} << 20, .seconds = 0.002});
    CHECK(roofs.state == MachineRoofs::State::Measured);
    CHECK(roofs.bytes_per_second > 1e6);
    CHECK(roofs.flops_per_second > 1e6);
    CHECK(roofs.threads == 2);
}

namespace {

enum class MeasurePanel { Charts, Mini, Equation, Roofline };
constexpr std::array kMeasurePanels{MeasurePanel::Charts, MeasurePanel::Mini,
                                    MeasurePanel::Equation, MeasurePanel::Roofline};

class MeasureBench {
public:
    MeasureBench(PixelSize size, ThemeName theme, float unit)
        : surface_(open_null(size)), gui_(*surface_), colors_(palette(theme)), unit_(unit) {
        gui_.set_style(colors_, unit);
    }

    void frame(MeasurePanel shown, SampleRun& run) {
        surface_->wait_events(0.0);
        gui_.begin_frame();
        focus.new_frame();
        const Ui ui{colors_, gui_.fonts(), texts_, sink, unit_, true};
        const ImGuiViewport& viewport = *ImGui::GetMainViewport();
        ImGui::SetNextWindowPos(viewport.Pos);
        ImGui::SetNextWindowSize(viewport.Size);
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        const RunView view = run.view();
        if (shown == MeasurePanel::Charts) draw_charts(ui, view, focus, run.history(), charts);
        if (shown == MeasurePanel::Mini) draw_mini_charts(ui, view, focus, run.history(), charts);
        if (shown == MeasurePanel::Equation) draw_run_equation(ui, view, focus);
        if (shown == MeasurePanel::Roofline) draw_run_roofline(ui, view, run.history());
        ImGui::End();
        gui_.end_frame(colors_.app);
    }

    RunFocus focus;
    ChartsUi charts;
    CommandSink sink;

private:
    std::unique_ptr<Surface> surface_;
    Gui gui_;
    const Palette& colors_;
    Texts texts_;
    float unit_;
};

}  // namespace

TEST_CASE("what is measured of a run draws at any size and moment", "[charts][draw]") {
    SampleRun& run = explore();
    for (const std::uint32_t step : {0u, 1u, 57u, 112u}) {
        run.session().to_iteration(step);
        for (const PixelSize size : {PixelSize{832, 372}, {320, 160}, {1, 1}, {4000, 3000}})
            for (const float unit : {0.8f, 1.0f, 3.0f}) {
                MeasureBench bench(size, step == 57 ? ThemeName::Light : ThemeName::Dark, unit);
                for (const MeasurePanel shown : kMeasurePanels) {
                    bench.frame(shown, run);
                    CHECK_NOTHROW(bench.frame(shown, run));
                }
            }
    }
}

TEST_CASE("a run without two steps draws its axes", "[charts][draw]") {
    SampleRun run("first");
    MeasureBench bench({832, 372}, ThemeName::Contrast, 1);
    for (const MeasurePanel shown : kMeasurePanels) CHECK_NOTHROW(bench.frame(shown, run));
}

TEST_CASE("pointing at a chart names the step, dragging zooms all of them", "[charts][draw]") {
    SampleRun& run = explore();
    MeasureBench bench({832, 372}, ThemeName::Dark, 1);
    ImGuiIO& io = ImGui::GetIO();
    const auto frames = [&](int n) {
        for (int i = 0; i < n; ++i) bench.frame(MeasurePanel::Charts, run);
    };
    io.AddMousePosEvent(100, 90);
    frames(3);
    REQUIRE(bench.focus.next_pointed.iteration);
    const std::uint32_t first = *bench.focus.next_pointed.iteration;
    CHECK(first > 1);
    CHECK(first < 112);
    io.AddMouseButtonEvent(0, true);
    frames(1);
    io.AddMousePosEvent(150, 90);
    frames(1);
    CHECK_FALSE(bench.charts.zoom);
    io.AddMouseButtonEvent(0, false);
    frames(2);
    REQUIRE(bench.charts.zoom);
    CHECK(bench.charts.zoom->first == first);
    CHECK(bench.charts.zoom->last > first);
    for (const bool down : {true, false, true, false}) {
        io.AddMouseButtonEvent(0, down);
        frames(1);
    }
    CHECK_FALSE(bench.charts.zoom);
}
