#include "app/widgets/chart/chart.hpp"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/hit.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

// Room around the data area, logical pixels.
constexpr float kHead = 26;                  // above: title and unit
constexpr float kYLabel = 20, kOver = 8;     // above: the label, or what the playhead stands out
constexpr float kTickGap = 10;               // left: between the tick labels and the area
constexpr float kXTicks = 22, kXLabel = 18;  // below
constexpr float kBleed = 4;                  // all around: of lines and marks that lie on its edge

// Limits that ImPlot can divide by.
ChartAxis sane(ChartAxis axis) {
    if (!axis.drawable(axis.min)) axis.min = axis.log ? 1 : 0;
    if (!axis.drawable(axis.max) || !(axis.max > axis.min))
        axis.max = axis.log ? axis.min * 10 : axis.min + 1;
    return axis;
}

// A little room around the data area, so that lines and marks on its edge are not cut in half.
void setup_axis(ImAxis which, const ChartAxis& axis, float length, float bleed) {
    ImPlot::SetupAxis(which, nullptr,
                      ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoMenus |
                          ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoSideSwitch |
                          ImPlotAxisFlags_Lock);
    if (axis.log) ImPlot::SetupAxisScale(which, ImPlotScale_Log10);
    const double extra = static_cast<double>(bleed / length);
    ImPlot::SetupAxisLimits(which, axis.at_share(-extra), axis.at_share(1 + extra),
                            ImPlotCond_Always);
}

float widest_label(const Ui& ui, std::span<const ChartTick> ticks) {
    float width = 0;
    for (const ChartTick& tick : ticks)
        width = std::max(width, text_width(ui, type::tick_label(ui), tick.label));
    return std::ceil(width);
}

Rect plot_area(const Ui& ui, const ChartSpec& spec, const Rect& whole) {
    const float ticks = spec.tick_room > 0 ? ui.px(spec.tick_room) : widest_label(ui, spec.y.ticks);
    const float left = ticks > 0 ? ticks + ui.px(kTickGap) : 0;
    const float top = (spec.title.empty() ? 0 : ui.px(kHead)) +
                      (spec.y_label.empty() ? ui.px(kOver) : ui.px(kYLabel));
    const float bottom = (spec.x.ticks.empty() ? ui.px(kBleed) : ui.px(kXTicks)) +
                         (spec.x_label.empty() ? 0 : ui.px(kXLabel));
    return {whole.x + left, whole.y + top, std::max(1.0f, whole.w - left - ui.px(spec.label_room)),
            std::max(1.0f, whole.h - top - bottom)};
}

TextStyle tick_style(const Ui& ui, const ChartTick& tick) {
    if (!tick.strong) return type::tick_label(ui);
    return {ui.fonts.mono_bold, 11, ui.colors.text, Align::Left};
}

// One pixel in every theme. Where hairlines are white, dashes keep the grid behind the data.
void grid_line(const Painter& p, Vec2 a, Vec2 b) {
    const Ui& ui = p.ui;
    if (ui.colors.extra_line > 0) return dotted_line(p, a, b, ui.colors.line);
    const float w = ui.px(1);
    fill(p, {a.x, a.y, std::max(w, b.x - a.x), std::max(w, b.y - a.y)}, ui.colors.line);
}

void draw_x_axis(const Painter& p, const Chart& chart) {
    const Ui& ui = p.ui;
    for (const ChartTick& tick : chart.x.ticks) {
        if (!chart.x.drawable(tick.at)) continue;
        const float x = std::round(chart.pixel(tick.at, chart.y.min).x);
        if (chart.x.grid) grid_line(p, {x, chart.plot.y}, {x, chart.plot.bottom()});
        text_in(p, aligned(tick_style(ui, tick), Align::Center),
                {x - ui.px(40), chart.plot.bottom() + ui.px(4), 2 * ui.px(40), ui.px(16)},
                tick.label);
    }
}

void draw_y_axis(const Painter& p, const Chart& chart) {
    const Ui& ui = p.ui;
    for (const ChartTick& tick : chart.y.ticks) {
        if (!chart.y.drawable(tick.at)) continue;
        const float y = std::round(chart.pixel(chart.x.min, tick.at).y);
        if (chart.y.grid) grid_line(p, {chart.plot.x, y}, {chart.plot.right(), y});
        const float w = std::ceil(text_width(ui, tick_style(ui, tick), tick.label));
        text_in(p, aligned(tick_style(ui, tick), Align::Right),
                {chart.plot.x - ui.px(kTickGap) - w, y - ui.px(8), w, 2 * ui.px(8)}, tick.label);
    }
}

void draw_words(const Painter& p, const Chart& chart, const ChartSpec& spec, const Rect& whole) {
    const Ui& ui = p.ui;
    const std::array head{Run{type::section(ui), spec.title},
                          Run{type::caption(ui), spec.unit, spec.title.empty() ? 0.0f : 10.0f}};
    if (!spec.title.empty()) runs_in(p, head, {whole.x, whole.y, whole.w, ui.px(20)});
    if (!spec.y_label.empty())
        text_in(
            p, type::caption(ui),
            {chart.plot.x, chart.plot.y - ui.px(kYLabel), whole.right() - chart.plot.x, ui.px(16)},
            spec.y_label);
    if (!spec.x_label.empty())
        text_in(p, aligned(type::caption(ui), Align::Right),
                {chart.plot.x, whole.bottom() - ui.px(kXLabel), chart.plot.w, ui.px(16)},
                spec.x_label);
}

// The part of it that is ImPlot's: the data area with its limits, bare. False while it is scrolled
// out of sight.
bool begin_plot(const Ui& ui, const char* id, const Chart& chart) {
    const float bleed = ui.px(kBleed);
    const Rect area = chart.plot.inset(-bleed);
    ImGui::SetCursorScreenPos(im(area.min()));
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, ImVec2{0, 0});
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotMinSize, ImVec2{1, 1});
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotBorderSize, 0.0f);
    std::string name = "##";
    name += id;
    const bool shown =
        ImPlot::BeginPlot(name.c_str(), {area.w, area.h},
                          ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame);
    if (shown) {
        setup_axis(ImAxis_X1, chart.x, chart.plot.w, bleed);
        setup_axis(ImAxis_Y1, chart.y, chart.plot.h, bleed);
        ImPlot::SetupFinish();  // the style counts until here
    }
    ImPlot::PopStyleVar(3);
    return shown;
}

// Closes the group that stands for the chart in ImGui's layout.
void end_place(const Rect& whole) {
    const Flush flush;
    ImGui::SetCursorScreenPos(im(whole.min()));
    ImGui::Dummy({whole.w, whole.h});
    ImGui::EndGroup();
}

}  // namespace

bool ChartAxis::drawable(double v) const {
    return std::isfinite(v) && (!log || v > 0);
}

double ChartAxis::transformed(double v) const {
    return log ? math::log10(v) : v;
}

float ChartAxis::share(double v) const {
    if (!drawable(v)) return 0;
    const double low = transformed(min), high = transformed(max);
    return static_cast<float>((transformed(v) - low) / (high - low));
}

double ChartAxis::at_share(double t) const {
    const double v = transformed(min) + t * (transformed(max) - transformed(min));
    return log ? math::pow(10.0, v) : v;
}

List<ChartTick> ticks_of(std::span<const AxisMark> marks) {
    List<ChartTick> ticks;
    ticks.reserve(marks.size());
    for (const AxisMark& mark : marks) ticks.push_back({mark.at, mark.label, mark.strong});
    return ticks;
}

Vec2 Chart::pixel(double vx, double vy) const {
    return {plot.x + x.share(vx) * plot.w, plot.bottom() - y.share(vy) * plot.h};
}

double Chart::x_at(float pixel_x) const {
    return x.at_share(static_cast<double>((pixel_x - plot.x) / plot.w));
}

Chart begin_chart(const Ui& ui, const char* id, const ChartSpec& spec) {
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Rect whole{std::floor(cursor.x), std::floor(cursor.y),
                     std::max(1.0f, std::floor(spec.width > 0 ? spec.width : room.x)),
                     std::max(1.0f, std::floor(spec.height > 0 ? spec.height : room.y))};
    Chart chart{.ui = &ui,
                .plot = plot_area(ui, spec, whole),
                .whole = whole,
                .x = sane(spec.x),
                .y = sane(spec.y),
                .playhead = spec.playhead,
                .hover = {}};
    const Painter p(ui);
    draw_words(p, chart, spec, whole);
    draw_y_axis(p, chart);
    draw_x_axis(p, chart);
    if (spec.frame) {  // on the outermost grid lines, which stand right of and below the data area
        const Rect& r = chart.plot;
        outline(p, {r.x, r.y, r.w + ui.px(1), r.h + ui.px(1)}, ui.colors.line);
    }

    ImGui::BeginGroup();
    if (!begin_plot(ui, id, chart)) {  // it keeps its place
        chart.ui = nullptr;
        end_place(whole);
        return chart;
    }
    const ImVec2 mouse = ImGui::GetMousePos();
    if (ImGui::IsWindowHovered() && chart.plot.contains({mouse.x, mouse.y}))
        chart.hover = Vec2{mouse.x, mouse.y};
    return chart;
}

void end_chart(const Chart& chart) {
    ImPlot::EndPlot();
    const Ui& ui = *chart.ui;
    const Painter p(ui);
    if (chart.hover && chart.x.drawable(chart.x_at(chart.hover->x)))
        vline(p, std::round(chart.hover->x), chart.plot.y, chart.plot.bottom(), ui.colors.text3);
    if (chart.playhead && chart.x.drawable(*chart.playhead)) {
        const float x = std::round(chart.pixel(*chart.playhead, chart.y.min).x);
        vline(p, x - ui.px(1), chart.plot.y - ui.px(kOver), chart.plot.bottom(), ui.colors.focus,
              2);
    }
    end_place(chart.whole);
}

}  // namespace kv
