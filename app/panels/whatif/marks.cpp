// Heads of the parts, and how lines and marks look.

#include "app/panels/whatif/paint.hpp"

namespace kv {

namespace {

constexpr float kHeadHeight = 30, kHeadInset = 12;

}  // namespace

Rect whatif_head(const Painter& p, const Rect& room, std::string_view title,
                 std::string_view caption) {
    const Ui& ui = p.ui;
    const TextStyle style = type::section(ui);
    const float inset = ui.px(kHeadInset);
    const Rect rest = whatif_head_beside(p, room, inset + text_width(ui, style, title), caption);
    text_in(p, style, {room.x + inset, room.y, 0, ui.px(kHeadHeight)}, title);
    return rest;
}

Rect whatif_head_beside(const Painter& p, const Rect& room, float width, std::string_view caption) {
    const Ui& ui = p.ui;
    const float head = ui.px(kHeadHeight), inset = ui.px(kHeadInset);
    fill(p, room, ui.colors.panel);
    outline(p, room, ui.colors.line);
    const float gap = ui.px(16);
    const Rect rest{room.x + width + gap, room.y, room.w - width - inset - gap, head};
    if (rest.w > ui.px(60)) text_in(p, aligned(type::caption(ui), Align::Right), rest, caption);
    hline(p, room.x, room.right(), room.y + head, ui.colors.line);
    return {room.x + inset, room.y + head + ui.px(1), room.w - 2 * inset, room.h - head - ui.px(1)};
}

void whatif_line(const Painter& p, WhatIfLine line, Vec2 from, Vec2 to, Color color, float width) {
    if (line == WhatIfLine::BlockSize) return;  // squares alone
    if (line == WhatIfLine::Recorded)
        stroke(p, from, to, color, width);
    else
        dashed_line(p, from, to, color, width * 0.75f);
}

void whatif_mark(const Painter& p, WhatIfLine line, Vec2 at, Color color) {
    const Ui& ui = p.ui;
    const auto square = [&](float size) {
        const float side = ui.px(size);
        return snap({at.x - side / 2, at.y - side / 2, side, side});
    };
    switch (line) {
        case WhatIfLine::Recorded:
            return fill(p, square(6), color);
        case WhatIfLine::Codec:
            p.list.AddCircleFilled(im(at), ui.px(3.5f), im(ui.colors.panel));
            p.list.AddCircle(im(at), ui.px(3.5f), im(color), 0, ui.px(1.5f));
            return;
        case WhatIfLine::Host:
            fill(p, square(8), ui.colors.panel);
            hatch(p, square(8), color, 3, 1);
            return outline(p, square(8), color);
        case WhatIfLine::BlockSize:
            return outline(p, square(12), color);
    }
}

void known_mark(const Painter& p, WhatIfMark mark, Vec2 middle, Color color) {
    const Ui& ui = p.ui;
    const auto square = [&](float size) {
        const float side = ui.px(size);
        return snap({middle.x - side / 2, middle.y - side / 2, side, side});
    };
    switch (mark) {
        case WhatIfMark::Exact:
            return fill(p, square(6), color);
        case WhatIfMark::Replayed:
            return outline(p, square(8), color, 0, 1.5f);
        case WhatIfMark::Modelled: {
            const float w = ui.px(4);
            hline(p, middle.x - w - ui.px(1), middle.x - ui.px(1), middle.y, color, 2);
            hline(p, middle.x + ui.px(1), middle.x + w + ui.px(1), middle.y, color, 2);
            return;
        }
    }
}

}  // namespace kv
