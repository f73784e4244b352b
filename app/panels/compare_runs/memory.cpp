// What both sides hold and read over the steps of the run, on one axis each, as far as each is
// recorded.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_runs/memory_plan.hpp"
#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/view/byte_axis.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kTallChart = 120, kLabels = 172, kYTicks = 40,
                kNowLabel = 44;  // logical pixels

// What one chart shows of a step.
struct PairCurve {
    const char* id;
    TextId title, unit;
    std::uint64_t (*of)(const Sample& sample, const RunView& run);
};
constexpr std::array kPairCurves{
    PairCurve{"pair memory", "pair.memory"_t, "pair.memory.unit"_t,
              [](const Sample& s, const RunView& run) {
                  return s.live_tokens * measure_at(run, s.moment).slot;
              }},
    PairCurve{"pair read", "charts.read"_t, "charts.per_step"_t,
              [](const Sample& s, const RunView&) { return s.kv_bytes_read; }}};

struct StepLine {
    List<double> xs, ys, marks_x, marks_y;
    std::size_t n_past = 0;  // points up to the cursor
    double at_cursor = 0, most = 0, last = 0;
};

// The line of a curve with about a dozen marks. `shift` moves them by a share of their distance, so
// that those of the two sides stand between each other.
StepLine line_of(const PairCurve& curve, const RunView& run, std::uint32_t now, double shift) {
    constexpr std::size_t kMarks = 12;
    StepLine line;
    line.xs = {0}, line.ys = {0}, line.n_past = 1;
    for (const Sample& sample : run.samples) {
        const auto y = static_cast<double>(curve.of(sample, run));
        line.xs.push_back(sample.iteration), line.ys.push_back(y);
        line.most = std::max(line.most, y);
        line.last = sample.iteration;
        if (sample.iteration <= now) line.n_past = line.xs.size(), line.at_cursor = y;
    }
    const std::size_t n = line.xs.size(), step = std::max<std::size_t>(1, n / kMarks);
    const auto first = static_cast<std::size_t>(shift * static_cast<double>(step));
    for (std::size_t i = std::max<std::size_t>(1, first); i < n; i += step)
        line.marks_x.push_back(line.xs[i]), line.marks_y.push_back(line.ys[i]);
    return line;
}

// `apart`: so many steps are as wide as the label of the cursor.
List<ChartTick> step_ticks(double last, std::string_view now_label, double now, double apart,
                           List<Text>& labels) {
    const List<double> at = round_ticks(std::max(1.0, last), 6);
    List<ChartTick> ticks;
    labels.reserve(at.size());
    for (const double x : at) {
        if (x > last || x != std::floor(x) || std::abs(x - now) < apart) continue;
        labels.push_back(with_commas(static_cast<std::uint64_t>(x)));
        ticks.push_back({x, labels.back()});
    }
    ticks.push_back({now, now_label, true});
    return ticks;
}

// What is still to come is dashed.
void draw_line(const Chart& chart, const StepLine& line, Marker marker, Color color) {
    const std::span<const double> xs(line.xs), ys(line.ys);
    const Color quiet = mix(chart.ui->colors.panel, color, 0.5);
    const std::size_t past = line.n_past;
    if (past < xs.size())
        chart_line(chart, xs.subspan(past - 1), ys.subspan(past - 1),
                   {.color = quiet, .width = 1.2f, .dash = LineDash::Dashed});
    chart_line(chart, xs.first(past), ys.first(past), {.color = color, .width = 1.8f});
    const double now = line.xs[past - 1];
    for (std::size_t i = 0; i < line.marks_x.size(); ++i)
        chart_markers(chart, std::span(line.marks_x).subspan(i, 1),
                      std::span(line.marks_y).subspan(i, 1), marker,
                      line.marks_x[i] <= now ? color : quiet, 3.5f);
}

void draw_curve(const Ui& ui, const PairView& pair, const PairCurve& curve, const Rect& room) {
    const std::uint32_t now = pair.left.now.iteration;
    const std::array lines{line_of(curve, pair.left, now, 0), line_of(curve, pair.right, now, 0.5)};
    const std::size_t n_sides = pair.alone ? 1 : 2;
    const double most = std::max({lines[0].most, lines[1].most, 1.0}),
                 last = std::max({lines[0].last, lines[1].last, 1.0});
    const int intervals = room.h < ui.px(kTallChart) ? 2 : 4;
    const KvLayout& layout = pair.left.layout;
    const ByteAxis axis =
        knows_bytes(layout)
            ? byte_axis(static_cast<u64>(most), UnitSystem::Binary, intervals)
            : count_axis(static_cast<u64>(most), ui.text["trace.slots"_t], intervals);
    const List<ChartTick> y_ticks = ticks_of(axis.marks);
    const Text now_label = fill(ui.text["pair.memory.step"_t], {{"n", with_commas(now)}});
    const Text unit = fill(ui.text[curve.unit], {{"unit", axis.unit}});
    const float plot = std::max(1.0f, room.w - ui.px(kLabels + kYTicks));
    const double apart = last * static_cast<double>(ui.px(kNowLabel) / plot);
    List<Text> x_labels;
    const auto x_ticks = step_ticks(last, now_label, now, apart, x_labels);
    const ChartSpec spec{.title = ui.text[curve.title],
                         .unit = unit,
                         .x = {.max = last, .ticks = x_ticks, .grid = false},
                         .y = {.max = axis.max(), .ticks = y_ticks},
                         .height = room.h,
                         .width = room.w,
                         .label_room = kLabels,
                         .playhead = static_cast<double>(now)};
    ImGui::SetCursorScreenPos(im(room.min()));
    const Chart chart = begin_chart(ui, curve.id, spec);
    if (!chart) return;
    constexpr std::array kMarkers{Marker::Square, Marker::Circle};
    const std::array colors{ui.colors.text2, ui.colors.text};
    constexpr std::size_t kLetters = 9;
    const std::array<Text, 2> names = side_words(pair, ui.text, kLetters);
    std::array<Text, 2> values;
    List<EndLabel> labels;
    for (std::size_t i = 0; i < n_sides; ++i) {
        draw_line(chart, lines[i], kMarkers[i], colors[i]);
        values[i] = measured(static_cast<u64>(lines[i].at_cursor), layout, ui.text);
        labels.push_back({.y = lines[i].at_cursor,
                          .value = values[i],
                          .caption = names[i],
                          .strong = i == 1,
                          .beside = true,
                          .color = colors[i],
                          .marker = kMarkers[i]});
    }
    chart_end_labels(chart, labels);
    end_chart(chart);
}

}  // namespace

void draw_pair_memory(const Ui& ui, const PairView& pair) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    // A record of a run says what is held, not what is read.
    const std::size_t n = knows_bytes(pair.left.layout) ? kPairCurves.size() : 1;
    const List<Rect> places = place_pair_charts({room.x / ui.unit, room.y / ui.unit}, n);
    for (std::size_t i = 0; i < places.size(); ++i)
        draw_curve(ui, pair, kPairCurves[i],
                   {at.x + std::floor(ui.px(places[i].x)), at.y + std::floor(ui.px(places[i].y)),
                    std::floor(ui.px(places[i].w)), std::floor(ui.px(places[i].h))});
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.x, room.y});
}

}  // namespace kv
