// Summary of two bills: who costs how many times as much. And Memory: both caches over the tokens.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/bill/panels.hpp"
#include "app/panels/compare_bills/paint.hpp"
#include "app/panels/compare_bills/view.hpp"
#include "app/panels/view/byte_axis.hpp"
#include "app/widgets/chart/chart.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kSentenceGap = 10;  // between load and verdict
constexpr int kLineMarks = 6;       // side marks along a line

// The line of one side, as doubles for the chart.
struct SideLine {
    std::vector<double> xs, ys;
};
SideLine line_of(const BillView& view) {
    const auto points = growth_curve(view.shape.cache, view.codecs, view.in.batch, view.in.tokens);
    SideLine line;
    line.xs.reserve(points.size());
    line.ys.reserve(points.size());
    for (const GrowthPoint& p : points) {
        line.xs.push_back(static_cast<double>(p.resident_tokens));
        line.ys.push_back(static_cast<double>(p.bytes));
    }
    return line;
}

// Marks stand between the corners too, and those of the two sides not at the same places.
SideLine marks_of(const SideLine& line, double shift) {
    SideLine marks;
    marks.xs.reserve(kLineMarks);
    marks.ys.reserve(kLineMarks);
    for (int i = 0; i < kLineMarks; ++i) {
        const double x = line.xs.back() * (i + shift) / kLineMarks;
        std::size_t k = 1;
        while (k + 1 < line.xs.size() && line.xs[k] < x) ++k;
        const double t = (x - line.xs[k - 1]) / (line.xs[k] - line.xs[k - 1]);
        marks.xs.push_back(x);
        marks.ys.push_back(line.ys[k - 1] + t * (line.ys[k] - line.ys[k - 1]));
    }
    return marks;
}

void draw_lines(const Chart& chart, const Ui& ui, const CompareView& view) {
    struct Look {
        BillSide side;
        Marker marker;
        Color color;
        double shift;
        TextId label;
    };
    const std::array looks{
        Look{BillSide::Left, Marker::Square, ui.colors.text2, 0.75, "compare.left_model"_t},
        Look{BillSide::Right, Marker::Circle, ui.colors.text, 0.25, "compare.right_model"_t}};
    std::array<std::string, 2> values, captions;
    std::vector<EndLabel> labels;
    labels.reserve(looks.size());
    for (std::size_t i = 0; i < looks.size(); ++i) {
        const BillView& side = view.of(looks[i].side);
        const SideLine line = line_of(side), marks = marks_of(line, looks[i].shift);
        chart_line(chart, line.xs, line.ys, {.color = looks[i].color, .width = 1.8f});
        chart_markers(chart, marks.xs, marks.ys, looks[i].marker, looks[i].color);
        values[i] = side.bytes("kv_bytes");
        captions[i] = fill(ui.text[looks[i].label], {{"model", side.shape.title}});
        labels.push_back({.y = line.ys.back(),
                          .value = values[i],
                          .caption = captions[i],
                          .strong = looks[i].side == BillSide::Right,
                          .color = looks[i].color});
    }
    chart_end_labels(chart, labels);
}

}  // namespace

void draw_summary(const Ui& ui, const BillInputs& bill) {
    const Painter p(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const std::string_view swap = ui.text["cmd.compare.swap"_t];
    const float button_w = button_width(ui, swap), height = control_height(ui, false);
    const float y = std::floor(at.y + (room.y - height) / 2);

    std::string why;
    const auto view = view_compare(bill, why);
    const TextStyle words{ui.fonts.regular, 16, ui.colors.text2};
    const TextStyle values{ui.fonts.mono_bold, 16, ui.colors.text};
    const Rect line{at.x, y, room.x - button_w - ui.px(16), height};
    const auto load = load_sentence(bill, ui.text);
    const auto verdict =
        view ? verdict_sentence(*view, ui.text) : List<SentencePiece>{{why, false}};
    List<Run> runs = runs_of(load, words, values), rest = runs_of(verdict, words, values);
    rest.front().gap = kSentenceGap;
    runs.insert(runs.end(), rest.begin(), rest.end());
    // Where both do not fit, the verdict alone.
    const bool fits = runs_width(ui, runs) <= line.w;
    if (!fits) rest.front().gap = 0;
    runs_in(p, fits ? runs : rest, line);

    ImGui::SetCursorScreenPos({std::floor(at.x + room.x - button_w), y});
    if (button(ui, "swap", swap)) ui.out.push("compare.swap");
}

void draw_memory(const Ui& ui, const BillInputs& bill) {
    std::string why;
    const auto view = view_compare(bill, why);
    if (!view) return draw_not_priced(ui, why);
    const u64 largest = std::max(view->left.whole("kv_bytes"), view->right.whole("kv_bytes"));
    const ByteAxis axis = byte_axis(largest, bill.units, 4);
    const List<ChartTick> y_ticks = ticks_of(axis.marks);

    const u64 resident = resident_tokens(bill.batch, bill.tokens);
    const std::string now = with_commas(resident);
    const std::array x_ticks{ChartTick{0, "0"},
                             ChartTick{static_cast<double>(resident), now, true}};
    const float width = ImGui::GetContentRegionAvail().x;
    const ChartSpec spec{
        .title = ui.text["compare.memory"_t],
        .unit = axis.unit,
        .x = {.max = static_cast<double>(resident), .ticks = x_ticks, .grid = false},
        .y = {.max = axis.max(), .ticks = y_ticks},
        .x_label = ui.text["compare.memory.x"_t],
        .label_room = width >= ui.px(560) ? 190.0f : 130.0f};
    if (const Chart chart = begin_chart(ui, "memory", spec)) {
        draw_lines(chart, ui, *view);
        end_chart(chart);
    }
}

}  // namespace kv
