// One token as a chip: its shape says what it is, its bar where it lies, its word what it says.

#include <algorithm>
#include <cmath>

#include "app/panels/stage/paint.hpp"

namespace kv {
namespace {

struct ChipPaint {
    const Painter& p;
    Rect box;
    Chip chip;
    std::string_view word;
    Hue hue;
    ChipLook look = {};
};

// How much of the request's hue a proposed token has, and an accepted one.
constexpr double kGhostWash = 0.1, kAcceptedWash = 0.34;

bool is_struck_out(ChipState state) {
    return state == ChipState::Missing || state == ChipState::Dropped ||
           state == ChipState::Struck || state == ChipState::Behind;
}

float round_of(const ChipPaint& c) {
    const float half = std::min(c.box.w, c.box.h) / 2 / c.p.ui.unit;
    return c.chip.generated || c.chip.state == ChipState::Next ? half : 2.0f;
}

// The bar under a word looks like its block: hue, or ivory and double where it was taken over.
void paint_bar(const ChipPaint& c, Hue hue) {
    if (!c.chip.has_bar) return;
    const Ui& ui = c.p.ui;
    const Color color = c.chip.shared ? ui.colors.shared : hue.fill;
    Rect bar{c.box.x, c.box.bottom() - ui.px(3), c.box.w, ui.px(3)};
    if (c.chip.generated) {
        const float w = std::round(c.box.w / 3);
        bar = {c.box.x + std::round((c.box.w - w) / 2), bar.y, w, bar.h};
    }
    bar.w = std::max(1.0f, std::round(bar.w * c.chip.bar));
    if (!c.chip.reused) {
        fill(c.p, bar, color);
    } else {
        const float line = ui.px(2), gap = ui.px(1);
        fill(c.p, {bar.x, c.box.bottom() - line, bar.w, line}, color);
        fill(c.p, {bar.x, c.box.bottom() - 2 * line - gap, bar.w, line}, color);
    }
    if (const auto edge = needed_outline(ui.colors, color); edge && !c.chip.reused)
        hline(c.p, bar.x, bar.right(), bar.y, *edge);
}

// The bars of a reused token stand under the chip, so its face is a little lower.
Rect face_of(const ChipPaint& c) {
    Rect face = c.box;
    if (c.chip.reused && !c.chip.generated) face.h -= c.p.ui.px(6);
    return face;
}

void paint_struck_out(const ChipPaint& c) {
    const float w = std::min(c.box.w - c.p.ui.px(4),
                             text_width(c.p.ui, sized(type::body(c.p.ui), c.look.size), c.word));
    const Vec2 middle = c.box.center();
    const float line = c.chip.state == ChipState::Struck ? 1.8f : 1.0f;
    hline(c.p, std::round(middle.x - w / 2 - c.p.ui.px(2)),
          std::round(middle.x + w / 2 + c.p.ui.px(2)), std::round(middle.y - c.p.ui.px(1)),
          c.p.ui.colors.loss.ink, line);
}

// Shape of a chip, and the colour of its word.
Color paint_face(const ChipPaint& c) {
    const Palette& colors = c.p.ui.colors;
    const float radius = round_of(c);
    const Rect face = face_of(c);
    switch (c.chip.state) {
        case ChipState::Empty:
            outline(c.p, face, colors.line, 2);
            return colors.text3;
        case ChipState::Queued:
            if (c.chip.generated)
                dashed_pill(c.p, face, colors.text3);
            else
                dashed_outline(c.p, face, colors.text3, radius);
            return colors.text3;
        case ChipState::Next:
            dashed_pill(c.p, face, colors.focus, 1.5f);
            return colors.text;
        case ChipState::Ghost:
            fill(c.p, face, mix(colors.panel, c.hue.fill, kGhostWash), radius);
            dashed_pill(c.p, face, c.hue.ink, 1.5f);
            return colors.text;
        case ChipState::Accepted:
            fill(c.p, face, mix(colors.panel, c.hue.fill, kAcceptedWash), radius);
            outline(c.p, face, c.hue.ink, radius, 1.8f);
            return colors.text;
        case ChipState::Struck:
            outline(c.p, face, colors.loss.ink, radius, 1.8f);
            return colors.loss.ink;
        case ChipState::Behind:
            dashed_pill(c.p, face, colors.loss.ink);
            return colors.loss.ink;
        case ChipState::Own:
            fill(c.p, face, colors.panel, radius);
            outline(c.p, face, colors.focus, radius, 2);
            return colors.text;
        case ChipState::Query:
            fill(c.p, face, colors.focus, radius);
            return colors.panel;
        case ChipState::Computing:
            fill(c.p, face, colors.raised, radius);
            outline(c.p, face, colors.focus, radius);
            return colors.text;
        case ChipState::Missing:
        case ChipState::Dropped:
            fill(c.p, face, colors.inset, radius);
            outline(c.p, face, colors.line, radius);
            return c.chip.state == ChipState::Missing ? colors.text3 : colors.loss.ink;
        case ChipState::InHost:
            fill(c.p, face, colors.inset, radius);
            hatch(c.p, face, colors.line);
            outline(c.p, face, colors.edge, radius);
            return colors.text2;
        case ChipState::Past:
            fill(c.p, face, colors.inset, radius);
            return colors.text2;
        case ChipState::Stored:
            break;
    }
    fill(c.p, face, c.look.lit ? mix(colors.raised, colors.text, 0.1) : colors.raised, radius);
    if (colors.is_light()) outline(c.p, face, colors.line, radius);
    return colors.text;
}

// A token that is only a space would look like an empty slot.
void paint_space(const ChipPaint& c, Color ink) {
    const Ui& ui = c.p.ui;
    const float w = ui.px(9), h = ui.px(4), line = ui.line();
    const Rect box{std::round(c.box.center().x - w / 2), std::round(c.box.center().y), w, h};
    const Color quiet = mix(ui.colors.raised, ink, 0.5);
    fill(c.p, {box.x, box.bottom() - line, box.w, line}, quiet);
    fill(c.p, {box.x, box.y, line, box.h}, quiet);
    fill(c.p, {box.right() - line, box.y, line, box.h}, quiet);
}

}  // namespace

void paint_chip(const Painter& p, const Rect& box, const Chip& chip, std::string_view word, Hue hue,
                const ChipLook& look) {
    const ChipPaint c{p, box, chip, word, hue, look};
    const Ui& ui = c.p.ui;
    const Color ink = paint_face(c);
    paint_bar(c, hue);
    if (c.chip.state == ChipState::Empty || c.box.w < ui.px(9)) return;
    if (c.word.empty() && c.chip.state != ChipState::Next) return paint_space(c, ink);
    const bool strong = c.chip.state == ChipState::Query || c.chip.state == ChipState::Next ||
                        c.chip.state == ChipState::Own;
    const TextStyle style =
        sized(colored(strong ? type::strong(ui) : type::body(ui), ink), c.look.size);
    Rect room = c.box;
    room.h -= ui.px(4);
    const float pad = c.chip.generated ? ui.px(2) : ui.px(1);
    room = {room.x + pad, room.y, std::max(1.0f, room.w - 2 * pad), room.h};
    text_that_fits(c.p, style, room, c.chip.state == ChipState::Next ? "?" : c.word);
    if (is_struck_out(c.chip.state)) paint_struck_out(c);
}

void text_that_fits(const Painter& p, TextStyle style, const Rect& r, std::string_view text) {
    const float smallest = std::min(style.size, 11.0f);
    while (style.size > smallest && text_width(p.ui, style, text) > r.w) style.size -= 1;
    text_in(p, aligned(style, Align::Center), r, text);
}

}  // namespace kv
