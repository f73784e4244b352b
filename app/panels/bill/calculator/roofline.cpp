#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/calculator/roofline_plan.hpp"
#include "app/panels/bill/panels.hpp"
#include "app/widgets/chart/chart.hpp"

namespace kv {
namespace {

// Where the picture is narrow only every second mark has its number.
void thin_out(List<ChartTick>& ticks) {
    for (std::size_t i = 1; i < ticks.size(); i += 2) ticks[i].label = {};
}

void draw_roofs(const Chart& chart, const Ui& ui, const RooflinePlan& plan) {
    const std::array<double, 3> xs{plan.min_x, plan.ridge, plan.max_x};
    const std::array<double, 3> ys{plan.start.flops, plan.peak, plan.peak};
    chart_line(chart, xs, ys, {ui.colors.text, 2.2f});
    const std::array<double, 2> foot{plan.ridge, plan.ridge};
    const std::array<double, 2> drop{plan.min_y, plan.peak};
    chart_line(chart, foot, drop, {ui.colors.text3, 1.0f, LineDash::Dashed});
}

void draw_roof_names(const Chart& chart, const Ui& ui, const RooflinePlan& plan) {
    const TextStyle quiet = colored(type::caption(ui), ui.colors.text2);
    chart_note(chart, plan.max_x, plan.peak, {-6, -11}, aligned(quiet, Align::Right), plan.compute);
    // Above the slope, and only where the words fit: below it they would cross the points' labels.
    const RoofPoint& name = plan.slope_name;
    const float room = chart.pixel(name.intensity, name.flops).x - chart.plot.x - ui.px(12);
    if (text_width(ui, quiet, name.label) <= room) {
        chart_note(chart, name.intensity, name.flops, {-8, -9}, aligned(quiet, Align::Right),
                   name.label);
    }
    chart_note(chart, plan.ridge, plan.min_y, {-6, -10},
               aligned(colored(type::number_small(ui), ui.colors.text2), Align::Right),
               plan.ridge_text);
}

void draw_points(const Chart& chart, const Ui& ui, const RooflinePlan& plan) {
    for (const RoofPoint& point : plan.points) {
        const std::array x{point.intensity}, y{point.flops};
        const Color color = point.current ? ui.colors.focus : ui.colors.text2;
        chart_markers(chart, x, y, Marker::Ring, color, 4.5f);
        const TextStyle style = point.current ? sized(type::strong(ui), 12)
                                              : colored(type::caption(ui), ui.colors.text2);
        const bool above = point.label_above;
        chart_note(chart, point.intensity, point.flops, above ? Vec2{-9, -7} : Vec2{11, 5},
                   aligned(style, above ? Align::Right : Align::Left), point.label);
    }
}

}  // namespace

void draw_roofline(const Ui& ui, const BillInputs& bill) {
    const TightSpacing tight;
    std::string why;
    const auto view = view_bill(bill, BillSide::Left, why);
    if (!view) {
        draw_too_large(ui, why);
        return;
    }
    const RooflinePlan plan = plan_roofline(*view, ui.text);
    const float width = room_width();
    const bool named = width >= ui.px(kRoofNamesFrom);
    List<ChartTick> x_ticks = ticks_of(plan.x_marks);
    const List<ChartTick> y_ticks = ticks_of(plan.y_marks);
    if (!named) thin_out(x_ticks);
    const std::string roofs = fill(
        ui.text["roofline.names"_t],
        {{"memory", plan.slope_name.label}, {"compute", plan.compute}, {"ridge", plan.ridge_text}});
    const char* const modelled = ui.text["roofline.modelled"_t];
    const float words = wrapped_height(ui, type::body(ui), kRoofLine, width, plan.sentence) +
                        wrapped_height(ui, type::caption(ui), kRoofLine, width, modelled);
    ChartSpec spec;
    spec.x = {.min = plan.min_x, .max = plan.max_x, .log = true, .ticks = x_ticks};
    spec.y = {.min = plan.min_y, .max = plan.max_y, .log = true, .ticks = y_ticks};
    spec.x_label = ui.text["roofline.x"_t];
    spec.y_label = plan.unit;
    spec.label_room = 4;
    spec.frame = true;
    spec.height = std::max(ui.px(150), ImGui::GetContentRegionAvail().y - words - ui.px(4));
    if (const Chart chart = begin_chart(ui, "roofline", spec)) {
        draw_roofs(chart, ui, plan);
        if (named) draw_roof_names(chart, ui, plan);
        draw_points(chart, ui, plan);
        end_chart(chart);
    }
    space(ui, 4);
    if (!named) paragraph(ui, type::body(ui), kRoofLine, roofs);
    paragraph(ui, type::body(ui), kRoofLine, plan.sentence);
    paragraph(ui, type::caption(ui), kRoofLine, modelled);
}

}  // namespace kv
