// The picture of Price: what is held against what it costs, and the frontier.

#include "app/widgets/chart/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/panels/price/paint.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct ShownPrice {
    std::size_t row;
    double x, y;
    std::string label;
};

std::vector<ShownPrice> shown_rows(const PriceFrame& frame, const PriceAxes& axes) {
    std::vector<ShownPrice> shown;
    for (std::size_t i = 0; i < frame.sheet.rows.size(); ++i) {
        const PriceRow& row = frame.sheet.rows[i];
        if (!row.measured()) continue;
        shown.push_back({i, static_cast<double>(row.numbers.held_bytes) / 1024,
                         axes.y(price_of(row.numbers, frame.own.scale)), price_label(row)});
    }
    return shown;
}

std::vector<PriceLine> draw_frontier(const PriceFrame& frame, const Chart& chart,
                                     const std::vector<ShownPrice>& shown) {
    std::vector<std::size_t> on;
    for (std::size_t i = 0; i < shown.size(); ++i)
        if (frame.frontier[shown[i].row]) on.push_back(i);
    std::sort(on.begin(), on.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(shown[a].x, -shown[a].y) < std::pair(shown[b].x, -shown[b].y);
    });
    std::vector<double> xs, ys;
    std::vector<PriceLine> lines;
    for (const std::size_t i : on) {
        const Vec2 at = chart.pixel(shown[i].x, shown[i].y);
        if (!xs.empty()) lines.push_back({chart.pixel(xs.back(), ys.back()), at});
        xs.push_back(shown[i].x), ys.push_back(shown[i].y);
    }
    if (xs.size() > 1) chart_line(chart, xs, ys, {frame.ui.colors.text3, 1.2f, LineDash::Dashed});
    return lines;
}

TextStyle label_style(const PriceFrame& frame, std::size_t row) {
    const Ui& ui = frame.ui;
    if (frame.frontier[row]) return sized(type::strong(ui), 12);
    return colored(type::caption(ui), ui.colors.text2);
}

void draw_marks(const PriceFrame& frame, const Chart& chart, const std::vector<ShownPrice>& shown,
                std::span<const PriceLine> lines) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    std::vector<PriceMark> marks;
    for (const ShownPrice& one : shown) {
        const TextStyle style = label_style(frame, one.row);
        marks.push_back({chart.pixel(one.x, one.y),
                         ui.px(6),
                         {std::ceil(text_width(ui, style, one.label)), ui.px(16)}});
    }
    const auto places = place_labels(marks, chart.plot, ui.px(3), lines);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (!places[i] || !places[i]->led) continue;
        const PriceLine leader = leader_of(marks[i], places[i]->rect);
        stroke(p, leader.from, leader.to, ui.colors.edge, 1);
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::size_t row = shown[i].row;
        const Vec2 at{std::round(marks[i].at.x), std::round(marks[i].at.y)};
        draw_price_shape(p, at, shape_of(frame.sheet.rows[row]), frame.frontier[row],
                         frame.frontier[row] ? ui.colors.text : ui.colors.text2);
        if (frame.lit(row))
            focus_ring(p, {at.x - ui.px(5), at.y - ui.px(5), ui.px(10), ui.px(10)}, 5);
        if (places[i])
            text_in(p, label_style(frame, row),
                    {places[i]->rect.x, places[i]->rect.y, 0, places[i]->rect.h}, shown[i].label);
    }
}

void point(const PriceFrame& frame, const Chart& chart, const std::vector<ShownPrice>& shown) {
    if (!chart.hover) return;
    float nearest = frame.ui.px(12);
    std::optional<std::size_t> row;
    for (const ShownPrice& one : shown) {
        const Vec2 at = chart.pixel(one.x, one.y);
        const float far = math::hypot(at.x - chart.hover->x, at.y - chart.hover->y);
        if (far < nearest) nearest = far, row = one.row;
    }
    if (!row) return;
    frame.own.next_pointed = row;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) frame.own.row = *row;
    tell_price_row(frame, *row);
}

}  // namespace

void tell_price_row(const PriceFrame& frame, std::size_t row) {
    const Ui& ui = frame.ui;
    const PriceRow& r = frame.sheet.rows[row];
    std::string words = price_name(r);
    for (std::size_t c = 0; c < kPriceColumns; ++c) {
        const auto column = static_cast<PriceColumn>(c);
        const std::string cell = price_cell(r.numbers, column);
        if (cell.empty()) continue;
        const std::string_view unit = unit_of_column(column);
        words += "\n" + std::string(ui.text[title_of(column)]) + " " + cell +
                 (unit.empty() ? "" : " " + std::string(unit));
    }
    const PriceShape shape = shape_of(r);
    if (shape != PriceShape::Circle)
        words += "\n" + std::string(ui.text[shape == PriceShape::Diamond ? "price.prompt.hidden"_t
                                                                         : "price.prompt.whole"_t]);
    ImGui::SetTooltip("%s", words.c_str());
}

void draw_price_chart(const PriceFrame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const PriceAxes axes = price_axes(frame.sheet, frame.own.scale, room.y / ui.unit);
    std::vector<ChartTick> x_ticks, y_ticks;
    for (const auto& tick : axes.x_ticks) x_ticks.push_back({tick.at, tick.label});
    for (const auto& tick : axes.y_ticks) y_ticks.push_back({tick.at, tick.label});
    ChartSpec spec;
    spec.x = {.min = axes.min_x, .max = axes.max_x, .log = true, .ticks = x_ticks};
    spec.y = {.min = axes.min_y, .max = axes.max_y, .log = axes.log_y, .ticks = y_ticks};
    spec.x_label = ui.text["price.chart.x"_t];
    spec.y_label =
        ui.text[frame.own.scale == PriceScale::Kl ? "price.chart.kl"_t : "price.chart.nll"_t];
    spec.label_room = 14;
    spec.frame = true;
    spec.height = std::max(1.0f, room.y);
    const Chart chart = begin_chart(ui, "price", spec);
    if (!chart) return;
    const std::vector<ShownPrice> shown = shown_rows(frame, axes);
    const std::vector<PriceLine> lines = draw_frontier(frame, chart, shown);
    draw_marks(frame, chart, shown, lines);
    point(frame, chart, shown);
    end_chart(chart);
}

}  // namespace kv
