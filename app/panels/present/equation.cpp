#include <algorithm>
#include <cmath>

#include "app/panels/present/paint.hpp"
#include "app/widgets/chart/factors_layout.hpp"

namespace kv {
namespace {

constexpr float kLargestValue = 48, kSmallestValue = 28, kValueStep = 4;  // sizes of the values
constexpr float kLabelSize = 23, kEquationGap = 44, kResult = 1.15f;

struct Sizes {
    float value = kLargestValue;
    FactorPlan plan;
    float result_width = 0;
};

TextStyle value_style(const Ui& ui, float size) {
    return {ui.fonts.mono_bold, size, ui.colors.text, Align::Center};
}
TextStyle label_style(const Ui& ui) {
    return {ui.fonts.regular, kLabelSize, ui.colors.text2, Align::Center};
}

Sizes measure(const Ui& ui, const PresentEquation& equation, float room, float value) {
    Sizes out{value, {}, 0};
    List<FactorSize> sizes;
    for (const PresentBox& box : equation.boxes)
        sizes.push_back({text_width(ui, value_style(ui, value), box.value),
                         text_width(ui, label_style(ui), box.label)});
    out.result_width =
        std::ceil(std::max(text_width(ui, value_style(ui, value * kResult), equation.result),
                           text_width(ui, label_style(ui), equation.result_label)));
    const FactorMetrics metrics{.box_h = ui.px(112),
                                .min_w = ui.px(96),
                                .pad = ui.px(value * 0.55f),
                                .gap = ui.px(kEquationGap),
                                .label_gap = ui.px(12),
                                .label_h = ui.px(34),
                                .row_gap = ui.px(12),
                                .stretch = ui.px(64)};
    out.plan = layout_factors(sizes, std::floor(room - out.result_width - 2 * ui.px(kEquationGap)),
                              metrics);
    return out;
}

// The sizes with which all stands in one row, with values as large as fit.
Sizes fit(const Ui& ui, const PresentEquation& equation, float room) {
    Sizes sizes = measure(ui, equation, room, kLargestValue);
    while (sizes.plan.rows > 1 && sizes.value > kSmallestValue)
        sizes = measure(ui, equation, room, sizes.value - kValueStep);
    return sizes;
}

void draw_equals(const Painter& p, Vec2 center) {
    const float half = p.ui.px(11), gap = p.ui.px(6);
    const float x = std::round(center.x), y = std::round(center.y);
    for (const float line_y : {y - gap, y + gap})
        hline(p, x - half, x + half, line_y - p.ui.px(1), p.ui.colors.text3, 3);
}

}  // namespace

void draw_present_equation(const Painter& p, const PresentEquation& equation, const Rect& room) {
    const Ui& ui = p.ui;
    const Palette& colors = ui.colors;
    const Sizes sizes = fit(ui, equation, room.w);
    const Vec2 origin{room.x, std::round(room.y + (room.h - sizes.plan.size.y) / 2)};
    const TextStyle value = value_style(ui, sizes.value), label = label_style(ui);
    for (std::size_t i = 0; i < equation.boxes.size(); ++i) {
        const FactorBox& place = sizes.plan.boxes[i];
        const Rect box = moved(place.box, origin);
        fill(p, box, colors.is_light() ? colors.raised : colors.inset, 4);
        outline(p, box, colors.edge, 4, 2);
        text_in(p, value, box, equation.boxes[i].value);
        text_in(p, label, moved(place.label, origin), equation.boxes[i].label);
        if (place.times) cross_mark(p, origin + *place.times, 15, colors.text3, 3);
    }
    const Rect box = moved(sizes.plan.boxes.back().box, origin);
    const Rect under = moved(sizes.plan.boxes.back().label, origin);
    draw_equals(p, {box.right() + ui.px(kEquationGap / 2 + 4), box.center().y});
    const float x = box.right() + ui.px(kEquationGap + 12), width = room.right() - x;
    text_in(p, aligned(value_style(ui, sizes.value * kResult), Align::Left),
            {x, box.y, width, box.h}, equation.result);
    text_in(p, aligned(label, Align::Left), {x, under.y, width, under.h}, equation.result_label);
}

}  // namespace kv
