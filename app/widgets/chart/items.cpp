// What is drawn inside a chart. Lines and areas go through ImPlot, run by run of drawable points;
// marks, bars and dashes are our own, on whole pixels.

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/chart/chart.hpp"
#include "app/widgets/chart/ticks.hpp"

namespace kv {
namespace {

// Calls each(first, count) for every longest run of points that can be drawn.
template <class Each>
void each_run(const Chart& chart, std::span<const double> xs, std::span<const double> ys,
              Each each) {
    const std::size_t n = std::min(xs.size(), ys.size());
    for (std::size_t i = 0; i < n;) {
        std::size_t end = i;
        while (end < n && chart.x.drawable(xs[end]) && chart.y.drawable(ys[end])) ++end;
        if (end > i) each(i, end - i);
        i = end + 1;
    }
}

ImPlotSpec line_spec(const Ui& ui, Color color, float width) {
    ImPlotSpec spec;
    spec.LineColor = ImGui::ColorConvertU32ToFloat4(im(color));
    spec.LineWeight = std::max(1.0f, width * ui.unit) + ui.px(ui.colors.extra_line);
    return spec;
}

void dashed_run(const Chart& chart, std::span<const double> xs, std::span<const double> ys,
                const LineLook& look) {
    const Painter p(*chart.ui);
    for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
        const Vec2 a = chart.pixel(xs[i], ys[i]), b = chart.pixel(xs[i + 1], ys[i + 1]);
        if (!look.steps) {
            dashed_line(p, a, b, look.color, look.width);
            continue;
        }
        dashed_line(p, a, {b.x, a.y}, look.color, look.width);
        dashed_line(p, {b.x, a.y}, b, look.color, look.width);
    }
}

// Every value held until the next x.
struct Stairs {
    List<double> xs, low, high;
};
Stairs stairs(std::span<const double> xs, std::span<const double> low,
              std::span<const double> high) {
    Stairs out;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        if (i > 0) {
            out.xs.push_back(xs[i]);
            out.low.push_back(low[i - 1]);
            out.high.push_back(high[i - 1]);
        }
        out.xs.push_back(xs[i]);
        out.low.push_back(low[i]);
        out.high.push_back(high[i]);
    }
    return out;
}

void draw_marker(const Painter& p, Vec2 at, Marker marker, Color color, float radius) {
    const float r = radius * p.ui.unit;
    switch (marker) {
        case Marker::Ring: {
            p.list.AddCircleFilled(im(at), r, im(p.ui.colors.panel));
            const float w = std::max(1.0f, 1.8f * p.ui.unit) + p.ui.px(p.ui.colors.extra_line);
            p.list.AddCircle(im(at), r, im(color), 0, w);
            return;
        }
        case Marker::Circle:
            p.list.AddCircleFilled(im(at), r, im(color));
            return;
        case Marker::Square:
            fill(p, snap({at.x - r, at.y - r, 2 * r, 2 * r}), color);
            return;
        case Marker::Triangle:
            triangle(p, at, 2.4f * radius, Dir::Up, color, true);
            return;
    }
}

float label_height(const Ui& ui, const EndLabel& label) {
    return ui.px(label.caption.empty() || label.beside ? 20.0f : 35.0f);
}

TextStyle value_style(const Ui& ui, const EndLabel& label) {
    TextStyle value = label.strong ? sized(type::number_strong(ui), 13)
                                   : colored(type::number(ui), ui.colors.text2);
    if (label.color) value.color = *label.color;
    return value;
}

// Captions beside their values stand in one column.
float caption_column(const Ui& ui, std::span<const EndLabel> labels) {
    float width = 0;
    for (const EndLabel& label : labels)
        if (label.beside)
            width = std::max(width, text_width(ui, value_style(ui, label), label.value));
    return std::ceil(width);
}

void draw_end_label(const Painter& p, const EndLabel& label, float column, Rect room) {
    const Ui& ui = p.ui;
    const TextStyle value = value_style(ui, label);
    if (label.marker) {
        const float mark = ui.px(14);
        draw_marker(p, {room.x + ui.px(4), std::round(room.y + ui.px(9))}, *label.marker,
                    value.color, 4);
        room = {room.x + mark, room.y, room.w - mark, room.h};
    }
    const Rect line{room.x, room.y, room.w, ui.px(18)};
    if (label.beside) {
        text_in(p, value, {line.x, line.y, 0, line.h}, label.value);
        const float x = line.x + column + ui.px(6);
        text_in(p, type::caption(ui), {x, line.y, line.right() - x, line.h}, label.caption);
        return;
    }
    text_in(p, value, line, label.value);
    text_in(p, type::caption(ui), {room.x, room.y + ui.px(16), room.w, ui.px(16)}, label.caption);
}

}  // namespace

void chart_line(const Chart& chart, std::span<const double> xs, std::span<const double> ys,
                const LineLook& look) {
    each_run(chart, xs, ys, [&](std::size_t first, std::size_t count) {
        const int n = static_cast<int>(count);
        if (n == 1) {  // a single point would leave no trace
            draw_marker(Painter(*chart.ui), chart.pixel(xs[first], ys[first]), Marker::Circle,
                        look.color, look.width);
        } else if (look.dash == LineDash::Dashed) {
            dashed_run(chart, xs.subspan(first, count), ys.subspan(first, count), look);
        } else if (look.steps) {
            ImPlot::PlotStairs("##steps", &xs[first], &ys[first], n,
                               line_spec(*chart.ui, look.color, look.width));
        } else {
            ImPlot::PlotLine("##line", &xs[first], &ys[first], n,
                             line_spec(*chart.ui, look.color, look.width));
        }
    });
}

void chart_area(const Chart& chart, std::span<const double> xs, std::span<const double> low,
                std::span<const double> high, Color color, bool steps) {
    // A point counts when both its ends can be drawn: their sum says so in one look.
    List<double> both(std::min({xs.size(), low.size(), high.size()}));
    for (std::size_t i = 0; i < both.size(); ++i)
        both[i] = chart.y.drawable(low[i]) ? high[i] : HUGE_VAL;
    each_run(chart, xs, both, [&](std::size_t first, std::size_t count) {
        ImPlotSpec spec;
        spec.FillColor = ImGui::ColorConvertU32ToFloat4(im(color));
        if (!steps)
            return ImPlot::PlotShaded("##area", &xs[first], &low[first], &high[first],
                                      static_cast<int>(count), spec);
        const Stairs s =
            stairs(xs.subspan(first, count), low.subspan(first, count), high.subspan(first, count));
        ImPlot::PlotShaded("##area", s.xs.data(), s.low.data(), s.high.data(),
                           static_cast<int>(s.xs.size()), spec);
    });
}

void chart_markers(const Chart& chart, std::span<const double> xs, std::span<const double> ys,
                   Marker marker, Color color, float radius) {
    const Painter p(*chart.ui);
    for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i)
        if (chart.x.drawable(xs[i]) && chart.y.drawable(ys[i]))
            draw_marker(p, chart.pixel(xs[i], ys[i]), marker, color, radius);
}

void chart_note(const Chart& chart, double x, double y, Vec2 offset, const TextStyle& style,
                std::string_view text) {
    if (!chart.x.drawable(x) || !chart.y.drawable(y)) return;
    const Ui& ui = *chart.ui;
    const Vec2 at = chart.pixel(x, y) + Vec2{ui.px(offset.x), ui.px(offset.y)};
    text_at(Painter(ui), style, {std::round(at.x), at.y + cap_height(ui, style) / 2}, text);
}

void chart_end_labels(const Chart& chart, std::span<const EndLabel> labels) {
    const Ui& ui = *chart.ui;
    List<float> wanted, heights;
    for (const EndLabel& label : labels) {
        wanted.push_back(chart.pixel(chart.x.max, label.y).y - ui.px(9));
        heights.push_back(label_height(ui, label));
    }
    const List<float> tops =
        spread_labels(wanted, heights, chart.plot.y - ui.px(8), chart.plot.bottom() + ui.px(9));
    const float x = chart.plot.right() + ui.px(10);
    const float column = caption_column(ui, labels);
    for (std::size_t i = 0; i < labels.size(); ++i)
        draw_end_label(Painter(ui), labels[i], column,
                       {x, std::round(tops[i]), chart.whole.right() - x, heights[i]});
}

}  // namespace kv
