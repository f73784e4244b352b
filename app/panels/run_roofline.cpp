#include <algorithm>
#include <array>

#include "app/panels/calculator_parts.hpp"
#include "app/panels/measure_panels.hpp"
#include "app/panels/run_roofline_plan.hpp"
#include "app/widgets/chart.hpp"

namespace kv {
namespace {

constexpr float kLine = 17;
constexpr float kNamesFrom = 280;  // logical width from which the roofs are named in the picture

void draw_roofs(const Chart& chart, const Ui& ui, const RunRoofline& plan, bool named) {
    if (plan.peak <= 0) return;
    const std::array<double, 3> xs{plan.min_x, plan.ridge, plan.max_x};
    const std::array<double, 3> ys{plan.min_x * plan.bandwidth, plan.peak, plan.peak};
    chart_line(chart, xs, ys, {ui.colors.text, 2.2f});
    if (!named) return;
    const TextStyle quiet = colored(type::caption(ui), ui.colors.text2);
    chart_note(chart, plan.max_x, plan.peak, {-6, -11}, aligned(quiet, Align::Right), plan.compute);
    chart_note(chart, plan.max_x, plan.min_y, {-6, -10}, aligned(quiet, Align::Right), plan.memory);
}

// On the slope; where no roof is known only the intensity is, as a line upwards.
void draw_rings(const Chart& chart, const Ui& ui, const RunRoofline& plan) {
    for (const RoofPoint& ring : plan.rings) {
        const Color color = ring.current ? ui.colors.focus : ui.colors.text2;
        const TextStyle style = ring.current ? sized(type::strong(ui), 12)
                                             : colored(type::caption(ui), ui.colors.text2);
        if (ring.flops <= 0) {
            const std::array xs{ring.intensity, ring.intensity}, ys{plan.min_y, plan.max_y};
            chart_line(chart, xs, ys, {ui.colors.text3, 1.0f, LineDash::Dashed});
            chart_note(chart, ring.intensity, plan.max_y, {5, ring.label_above ? 12.0f : 28.0f},
                       aligned(style, Align::Left), ring.label);
            continue;
        }
        const std::array x{ring.intensity}, y{ring.flops};
        chart_markers(chart, x, y, Marker::Ring, color, 4.5f);
        const bool above = ring.label_above;
        chart_note(chart, ring.intensity, ring.flops, above ? Vec2{-9, -7} : Vec2{11, 5},
                   aligned(style, above ? Align::Right : Align::Left), ring.label);
    }
}

void draw_done(const Chart& chart, const Ui& ui, const RunRoofline& plan, const RoofPoint& point,
               Marker marker, float down) {
    // Without times the mark stands on the axis: only how much is done for each byte is known.
    const double at = point.flops > 0 ? point.flops : plan.min_y;
    const Color color = point.current ? ui.colors.focus : ui.colors.text2;
    const std::array x{point.intensity}, y{at};
    chart_markers(chart, x, y, marker, color, 5);
    const TextStyle style{point.current ? ui.fonts.mono_bold : ui.fonts.mono, 12, color,
                          Align::Left};
    const float px = chart.pixel(point.intensity, at).x;
    // Decode stands left of prefill: its words go to the left, those of prefill to the right.
    const float wide = text_width(ui, style, point.label) + ui.px(12);
    const bool fits_left = px - wide >= chart.plot.x, fits_right = px + wide <= chart.plot.right();
    const bool left = marker == Marker::Square ? fits_left : !fits_right;
    chart_note(chart, point.intensity, at, {left ? -10.0f : 10.0f, down},
               aligned(style, left ? Align::Right : Align::Left), point.label);
}

}  // namespace

void draw_run_roofline(const Ui& ui, const RunView& run, const RunHistory& history) {
    const TightSpacing tight;
    const RunRoofline plan = plan_run_roofline(run, attention_now(run, history), ui.text);
    const float width = room_width();
    const bool named = width >= ui.px(kNamesFrom);
    std::vector<ChartTick> x_ticks, y_ticks;
    for (const AxisMark& mark : plan.x_marks) x_ticks.push_back({mark.at, mark.label, false});
    for (const AxisMark& mark : plan.y_marks) y_ticks.push_back({mark.at, mark.label, false});
    const float words = wrapped_height(ui, type::body(ui), kLine, width, plan.sentence) +
                        wrapped_height(ui, type::caption(ui), kLine, width, plan.state);
    ChartSpec spec;
    spec.x = {plan.min_x, plan.max_x, true, x_ticks, true};
    spec.y = {plan.min_y, plan.max_y, true, y_ticks, true};
    spec.x_label = ui.text["roofline.x"_t];
    spec.y_label = plan.unit;
    spec.label_room = 4;
    spec.frame = true;
    spec.height = std::max(ui.px(130), ImGui::GetContentRegionAvail().y - words - ui.px(4));
    if (const Chart chart = begin_chart(ui, "run_roofline", spec)) {
        draw_roofs(chart, ui, plan, named);
        draw_rings(chart, ui, plan);
        if (plan.prefill) draw_done(chart, ui, plan, *plan.prefill, Marker::Triangle, -10);
        if (plan.decode) draw_done(chart, ui, plan, *plan.decode, Marker::Square, -10);
        end_chart(chart);
    }
    space(ui, 4);
    if (!named && plan.peak > 0)
        paragraph(ui, type::caption(ui), kLine, plan.memory + ", " + plan.compute);
    paragraph(ui, type::body(ui), kLine, plan.sentence);
    paragraph(ui, type::caption(ui), kLine, plan.state);
}

}  // namespace kv
