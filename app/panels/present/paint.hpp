#pragma once
// The parts of Present, each drawn into its rectangle. `ui.unit` is pixels per pixel of the design.

#include <cmath>
#include <string_view>

#include "app/panels/bill/view.hpp"
#include "app/panels/present/view.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

constexpr float kPresentWidgets = 1.8f;  // how much larger buttons and charts are than on a desk

inline Ui scaled(const Ui& ui, float unit) {
    return {ui.colors, ui.fonts, ui.text, ui.out, unit, ui.reduced_motion, ui.written};
}

// The style, its text so small that the words fit.
inline TextStyle fitting(const Ui& ui, TextStyle style, std::string_view text, float width) {
    const float wide = text_width(ui, style, text);
    if (wide > width && wide > 0) style.size = std::floor(style.size * width / wide);
    return style;
}

void draw_present_equation(const Painter& p, const PresentEquation& equation, const Rect& room);
// What the same tokens would cost with other numbers of KV heads.
void draw_present_heads(const Ui& ui, const BillView& view, const Rect& room);
void draw_present_memory(const Ui& ui, const BillView& view, const Rect& room);

}  // namespace kv
