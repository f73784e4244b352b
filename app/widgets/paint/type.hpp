#pragma once
// The type scale: every text on screen is one of these, so sizes and weights stay few. Sizes are
// logical pixels; the functions in paint.hpp turn them into whole pixels. A different colour or
// font is written as `colored(type::body(ui), ui.colors.loss.ink)`.

#include "app/shell/ui.hpp"

namespace kv {

enum class Align : std::uint8_t { Left, Center, Right };

struct TextStyle {
    ImFont* font = nullptr;
    float size = 13;  // logical pixels
    Color color{};
    Align align = Align::Left;  // where the text stands in the rectangle it is given
};

namespace type {

// Inter.
TextStyle lesson_title(const Ui& ui);  // 26 bold
TextStyle object_title(const Ui& ui);  // 19 bold
TextStyle prose(const Ui& ui);         // 15 regular, line 23
TextStyle section(const Ui& ui);       // 14 semibold: heads, current values
TextStyle body(const Ui& ui);          // 13 regular, text 2: labels, tables
TextStyle strong(const Ui& ui);        // 13 semibold, text
TextStyle caption(const Ui& ui);       // 12 regular, text 3

// JetBrains Mono: every number that can change.
TextStyle number(const Ui& ui);         // 13 mono, text
TextStyle number_strong(const Ui& ui);  // 14 mono bold, text
TextStyle number_small(const Ui& ui);   // 12 mono, text 2
TextStyle tick_label(const Ui& ui);     // 11 mono, text 3: ticks, ids in blocks, key caps

}  // namespace type

constexpr TextStyle colored(TextStyle style, Color color) {
    style.color = color;
    return style;
}
constexpr TextStyle aligned(TextStyle style, Align align) {
    style.align = align;
    return style;
}
constexpr TextStyle sized(TextStyle style, float size) {
    style.size = size;
    return style;
}
constexpr TextStyle with_font(TextStyle style, ImFont* font) {
    style.font = font;
    return style;
}

}  // namespace kv
