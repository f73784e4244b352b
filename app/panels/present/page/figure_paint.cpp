// Boxes, signs and lines of the picture of a question.

#include <algorithm>
#include <cmath>

#include "app/panels/present/page/paint.hpp"
#include "app/panels/present/paint.hpp"

namespace kv {
namespace {

constexpr float kLargest = 76, kNumber = 56, kEntryNumber = 44, kSign = 48, kSignWords = 30;
constexpr float kBoxLabel = 26, kAboveBox = 40;
constexpr float kSentence = 44, kLeastSentence = 22, kSentencePitch = 1.25f, kSentenceInset = 18;

// Slots in two lines, or more where there are many.
void paint_slots(const Painter& p, const Rect& room, std::uint32_t n, bool filled) {
    const Ui& ui = p.ui;
    const std::uint32_t columns = std::max(1u, n <= 4 ? n : n <= 32 ? (n + 1) / 2 : 16);
    const std::uint32_t rows = (n + columns - 1) / columns;
    const float gap = ui.px(6), w = (room.w + gap) / static_cast<float>(columns),
                h = (room.h + gap) / static_cast<float>(rows);
    const Hue& hue = ui.colors.request[0];
    for (std::uint32_t i = 0; i < n; ++i) {
        const Rect slot = snap({room.x + w * static_cast<float>(i % columns),
                                room.y + h * static_cast<float>(i / columns), w - gap, h - gap});
        if (filled) fill(p, slot, hue.fill);
        outline(p, slot, filled ? hue.ink : ui.colors.edge, 0, 1.6f);
    }
}

// Dashes that the back row sees are three times as long.
constexpr float kCoarse = 3, kDashWidth = 2.6f / kCoarse;
Ui coarse(const Ui& ui) {
    return scaled(ui, ui.unit * kCoarse);
}

TextStyle number(const Ui& ui, float size, Color color) {
    return {ui.fonts.mono_bold, size, color, Align::Center};
}

// An answer in words, in as many lines as it takes: the largest letters of which all fit.
void paint_sentence(const Painter& p, const Text& words, const Rect& box, Color color) {
    const Ui& ui = p.ui;
    const Rect room = box.inset(ui.px(kSentenceInset));
    TextStyle style{ui.fonts.semibold, kSentence, color, Align::Center};
    const auto height = [&] {
        return wrapped_height(ui, style, style.size * kSentencePitch, room.w, words);
    };
    while (style.size > kLeastSentence && height() > room.h) style.size -= 2;
    const float h = height();
    wrapped_at(p, style, style.size * kSentencePitch,
               {room.x, std::round(room.center().y - h / 2), room.w, h}, words);
}

void paint_value(const Painter& p, const FigureBox& b, const Rect& room, float size, Color color) {
    const TextStyle whole = number(p.ui, size, color);
    const float width = room.w - p.ui.px(16);
    const bool is_number =
        b.value.view().find_first_not_of("0123456789.,[] -") == std::string_view::npos;
    if (!is_number && text_width(p.ui, whole, b.value) > width)
        return paint_sentence(p, b.value, room, color);
    text_in(p, fitting(p.ui, whole, b.value, width), room, b.value);
}

void paint_box(const Painter& p, const FigureBox& b) {
    const Ui& ui = p.ui;
    const Palette& colors = ui.colors;
    const Hue& hue = colors.request[0];
    switch (b.look) {
        case FigureLook::Token:
            fill(p, b.box, colors.focus, 4);
            return paint_value(p, b, b.box, kLargest,
                               colors.is_light() ? colors.panel : colors.on_fill);
        case FigureLook::Block:
            fill(p, b.box, colors.wash_of(hue), 4);
            outline(p, b.box, hue.ink, 4, 2);
            return paint_slots(p, b.box.inset(ui.px(18)), b.slots, true);
        case FigureLook::Entry:
            fill(p, b.box, colors.wash_of(hue), 3);
            outline(p, b.box, hue.ink, 3, 2);
            if (b.marked) brackets(p, b.box.inset(-ui.px(2)), colors.focus);
            return paint_value(p, b, b.box, std::min(kEntryNumber, b.box.h / ui.unit * 0.68f),
                               colors.text);
        case FigureLook::Given:
            fill(p, b.box, colors.raised, 4);
            outline(p, b.box, colors.edge, 4, 2);
            return paint_value(p, b, b.box, kNumber, colors.text);
        case FigureLook::Unknown:
            break;
    }
    const Ui coarse_ui = coarse(ui);
    const Painter dashes(coarse_ui);
    if (b.dashed)
        dashed_outline(dashes, b.box, colors.focus, 1, kDashWidth);
    else
        outline(p, b.box, colors.focus, 4, 3);
    if (b.slots == 0)
        return paint_value(p, b, b.box, kNumber, b.dashed ? colors.text2 : colors.text);
    const float half = std::floor(b.box.h * 0.55f);
    paint_value(p, b, {b.box.x, b.box.y, b.box.w, half}, kNumber,
                b.dashed ? colors.text2 : colors.text);
    paint_slots(
        p, {b.box.x + ui.px(22), b.box.y + half, b.box.w - ui.px(44), b.box.h - half - ui.px(22)},
        b.slots, !b.dashed);
}

void paint_label(const Painter& p, const FigureBox& b) {
    if (b.label.empty()) return;
    const Ui& ui = p.ui;
    const float wide = std::max(b.box.w + ui.px(40), ui.px(300));
    const TextStyle style =
        fitting(ui, {ui.fonts.regular, kBoxLabel, ui.colors.text2, Align::Center}, b.label, wide);
    text_in(p, style,
            {std::round(b.box.center().x - wide / 2), b.box.y - ui.px(kAboveBox), wide,
             ui.px(kAboveBox)},
            b.label);
}

void paint_dashed(const Painter& p, const List<Vec2>& points, Color color) {
    for (std::size_t i = 1; i < points.size(); ++i)
        dashed_line(p, points[i - 1], points[i], color, kDashWidth);
}

void paint_line(const Painter& p, const FigureLine& line) {
    const Ui& ui = p.ui;
    if (line.points.size() < 2) return;
    const Vec2 last = line.points.back(), before = line.points[line.points.size() - 2];
    if (!line.strong) return arrow(p, before, last, ui.colors.text3, 2.4f);
    const Ui coarse_ui = coarse(ui);
    const Painter dashes(coarse_ui);
    if (line.dashed)
        paint_dashed(dashes, line.points, ui.colors.focus);
    else
        connector(p, line.points,
                  {.color = ui.colors.focus,
                   .halo = ui.colors.panel,
                   .width = 4,
                   .radius = 6,
                   .head = false});
    triangle(p, {last.x - ui.px(6), last.y}, 18, Dir::Right, ui.colors.focus, true);
}

// Two square brackets around a table.
void paint_brackets(const Painter& p, const Rect& r) {
    if (r.w <= 0) return;
    const float arm = p.ui.px(14);
    const Color color = p.ui.colors.focus;
    for (const float x : {r.x, r.right()}) {
        const float to = x == r.x ? x + arm : x - arm;
        stroke(p, {x, r.y}, {x, r.bottom()}, color, 3);
        stroke(p, {x, r.y + 1}, {to, r.y + 1}, color, 3);
        stroke(p, {x, r.bottom() - 1}, {to, r.bottom() - 1}, color, 3);
    }
}

}  // namespace

void paint_figure(const Ui& ui, const FigurePlan& plan) {
    const Ui own = scaled(ui, plan.unit);
    const Painter p(own);
    paint_brackets(p, plan.brackets);
    for (const FigureLine& line : plan.lines) paint_line(p, line);
    for (const FigureBox& box : plan.boxes) {
        paint_box(p, box);
        paint_label(p, box);
    }
    for (const FigureSign& sign : plan.signs)
        text_in(p,
                sign.small ? TextStyle{sign.is_word ? own.fonts.regular : own.fonts.mono,
                                       kSignWords, own.colors.text2, Align::Center}
                           : TextStyle{own.fonts.regular, kSign, own.colors.text2, Align::Center},
                sign.at, sign.words);
}

}  // namespace kv
