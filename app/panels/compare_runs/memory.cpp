// The live keys and values of both sides over the steps of the run, as far as each is recorded.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/view/byte_axis.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct LiveLine {
    List<double> xs, live, marks_x, marks_y;
    double at_cursor = 0, most = 0, last = 0;
};

// A point where the value changes, and at most so many marks.
LiveLine line_of(const RunView& run, std::uint32_t now, double shift) {
    constexpr std::size_t kMarks = 12;
    LiveLine line{{0}, {0}, {}, {}};
    const double per_token = static_cast<double>(slot_bytes(run));
    for (const Sample& sample : run.samples) {
        const double y = static_cast<double>(sample.live_tokens) * per_token;
        line.xs.push_back(sample.iteration), line.live.push_back(y);
        line.most = std::max(line.most, y);
        line.last = sample.iteration;
        if (sample.iteration == now) line.at_cursor = y;
    }
    const std::size_t n = line.xs.size(), step = std::max<std::size_t>(1, n / kMarks);
    const auto first = static_cast<std::size_t>(shift * static_cast<double>(step));
    for (std::size_t i = std::max<std::size_t>(1, first); i < n; i += step)
        line.marks_x.push_back(line.xs[i]), line.marks_y.push_back(line.live[i]);
    return line;
}

List<ChartTick> step_ticks(double last, std::string_view now_label, double now,
                           List<Text>& labels) {
    const List<double> at = round_ticks(std::max(1.0, last), 6);
    List<ChartTick> ticks;
    labels.reserve(at.size());
    for (const double x : at) {
        if (x > last || x != std::floor(x) || std::abs(x - now) < last / 14) continue;
        labels.push_back(with_commas(static_cast<std::uint64_t>(x)));
        ticks.push_back({x, labels.back()});
    }
    ticks.push_back({now, now_label, true});
    return ticks;
}

}  // namespace

void draw_pair_memory(const Ui& ui, const PairView& pair) {
    const std::uint32_t now = pair.left.now.iteration;
    const std::array lines{line_of(pair.left, now, 0), line_of(pair.right, now, 0.5)};
    const double most = std::max({lines[0].most, lines[1].most, 1.0}),
                 last = std::max({lines[0].last, lines[1].last, 1.0});
    const ByteAxis axis = byte_axis(static_cast<u64>(most), UnitSystem::Binary, 4);
    const List<ChartTick> y_ticks = ticks_of(axis.marks);
    const Text now_label = fill(ui.text["pair.memory.step"_t], {{"n", with_commas(now)}});
    List<Text> x_labels;
    const auto x_ticks = step_ticks(last, now_label, now, x_labels);
    const ChartSpec spec{.title = ui.text["pair.memory"_t],
                         .unit = axis.unit,
                         .x = {.max = last, .ticks = x_ticks, .grid = false},
                         .y = {.max = axis.max(), .ticks = y_ticks},
                         .x_label = ui.text["pair.memory.x"_t],
                         .label_room = 120,
                         .playhead = static_cast<double>(now)};
    const Chart chart = begin_chart(ui, "pair memory", spec);
    if (!chart) return;
    constexpr std::array kMarkers{Marker::Square, Marker::Circle};
    const std::array colors{ui.colors.text2, ui.colors.text};
    constexpr std::size_t kLetters = 9;
    const std::array<Text, 2> names = side_words(pair, ui.text, kLetters);
    std::array<Text, 2> values;
    List<EndLabel> labels;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        chart_line(chart, lines[i].xs, lines[i].live, {.color = colors[i], .width = 1.8f});
        chart_markers(chart, lines[i].marks_x, lines[i].marks_y, kMarkers[i], colors[i]);
        values[i] = bytes_binary(static_cast<u64>(lines[i].at_cursor));
        labels.push_back({.y = lines[i].at_cursor,
                          .value = values[i],
                          .caption = names[i],
                          .strong = i == 1,
                          .beside = true,
                          .color = colors[i]});
    }
    chart_end_labels(chart, labels);
    end_chart(chart);
}

}  // namespace kv
