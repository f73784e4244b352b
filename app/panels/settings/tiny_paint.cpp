#include "app/panels/settings/tiny_paint.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

// The frame, and the room inside it.
Rect paint_frame(const Painter& p, const Rect& frame) {
    fill(p, frame, p.ui.colors.inset, 3);
    outline(p, frame, p.ui.colors.edge, 3);
    return frame.inset(p.ui.px(5));
}

// An area in a hue that is seen on every theme's ground.
void paint_cell(const Painter& p, const Rect& r, const Hue& hue) {
    fill(p, r, hue.fill, 1);
    if (const auto ink = needed_outline(p.ui.colors, hue.fill)) outline(p, r, *ink, 1);
}

// A cell so small that its edge stays one pixel in every theme.
void paint_open(const Painter& p, const Rect& r, Color edge, Color inside) {
    fill(p, r, edge);
    if (r.w > 2 && r.h > 2) fill(p, {r.x + 1, r.y + 1, r.w - 2, r.h - 2}, inside);
}

// The i-th of n equal parts of a width, a gap before the next.
Rect part(const Rect& room, std::uint32_t i, std::uint32_t n, float gap) {
    const auto edge = [&](std::uint32_t k) {
        return std::round(room.x + (room.w + gap) * static_cast<float>(k) / static_cast<float>(n));
    };
    return {edge(i), room.y, std::max(1.0f, edge(i + 1) - edge(i) - gap), room.h};
}

void paint_box(const Painter& p, const Rect& box) {
    const float half = std::floor(box.w / 2);
    paint_cell(p, {box.x, box.y, half, box.h}, p.ui.colors.k);
    paint_cell(p, {box.x + half, box.y, box.w - half, box.h}, p.ui.colors.v);
}

// Sign solid, exponent hatched by a wash, fraction open; an integer is barred at its foot.
void paint_bits(const Painter& p, const Rect& row, const TinyBits& bits, const Hue& hue) {
    constexpr std::uint32_t kWidest = 16;
    const std::uint32_t n = std::max(kWidest, bits.count());
    const Palette& colors = p.ui.colors;
    for (std::uint32_t i = 0; i < bits.count(); ++i) {
        const Rect bit = part(row, i, n, 1);
        const bool is_sign = bits.integer == 0 && i < bits.sign;
        const bool is_exponent = bits.integer == 0 && i < bits.sign + bits.exponent;
        const Color inside = is_sign       ? hue.ink
                             : is_exponent ? mix(colors.panel, hue.ink, 0.5)
                                           : colors.panel;
        paint_open(p, bit, hue.ink, inside);
        if (bits.integer > 0)
            fill(p, {bit.x, bit.y + std::floor(bit.h / 2), bit.w, std::ceil(bit.h / 2)}, hue.ink);
    }
    if (!bits.has_scale) return;
    const Rect last = part(row, std::min(n - 1, bits.count() + 1), n, 1);
    const float wide = 3 * last.w;
    dashed_outline(p, {last.x, row.y, wide, row.h}, hue.ink);
}

}  // namespace

void paint_tiny(const Painter& p, const Rect& frame, const TinyHeads& heads) {
    const Rect room = paint_frame(p, frame);
    const float head = p.ui.px(5), box_h = p.ui.px(8);
    const Rect top{room.x, room.y, room.w, head};
    const Rect low{room.x, room.bottom() - box_h, room.w, box_h};
    const float widest = p.ui.px(14);
    const auto box_at = [&](std::uint32_t i) {
        const Rect cell = part(low, i, heads.boxes, p.ui.px(1));
        const float w = std::min(cell.w, widest);
        return Rect{std::round(cell.x + (cell.w - w) / 2), cell.y, w, cell.h};
    };
    for (std::uint32_t i = 0; i < heads.queries; ++i) {
        const Rect query = part(top, i, heads.queries, p.ui.px(2));
        stroke(p, {query.center().x, query.bottom()}, {box_at(heads.box_of(i)).center().x, low.y},
               p.ui.colors.text3);
        fill(p, query, p.ui.colors.text2);
    }
    for (std::uint32_t i = 0; i < heads.boxes; ++i) paint_box(p, box_at(i));
}

void paint_tiny(const Painter& p, const Rect& frame, const TinyBits& k, const TinyBits& v) {
    const Rect room = paint_frame(p, frame);
    const float h = std::floor((room.h - p.ui.px(4)) / 2);
    paint_bits(p, {room.x, room.y, room.w, h}, k, p.ui.colors.k);
    paint_bits(p, {room.x, room.bottom() - h, room.w, h}, v, p.ui.colors.v);
}

void paint_tiny(const Painter& p, const Rect& frame, const TinySlots& slots, const Hue& hue) {
    const Rect room = paint_frame(p, frame);
    const float h = p.ui.px(12);
    const Rect row{room.x, std::floor(room.center().y - h / 2), room.w, h};
    for (std::uint32_t i = 0; i < TinySlots::kParts; ++i) {
        const Rect slot = part(row, i, TinySlots::kParts, p.ui.px(1));
        if (i >= slots.filled) {
            outline(p, slot, p.ui.colors.line);
        } else if (slots.dropped[i]) {
            outline(p, slot, p.ui.colors.line);
            stroke(p, {slot.x, slot.y}, {slot.right(), slot.bottom()}, p.ui.colors.loss.ink, 1.4f);
            stroke(p, {slot.x, slot.bottom()}, {slot.right(), slot.y}, p.ui.colors.loss.ink, 1.4f);
        } else {
            paint_cell(p, slot, hue);
        }
    }
}

void paint_tiny(const Painter& p, const Rect& frame, const TinyPool& pool, const Hue& hue) {
    const Rect room = paint_frame(p, frame);
    if (pool.blocks == 0) return;
    const float gap = pool.columns > 10 ? 1.0f : p.ui.px(2);
    const auto rows = static_cast<float>(pool.rows());
    const float pitch = (room.h + gap) / rows;
    for (std::uint32_t i = 0; i < pool.blocks; ++i) {
        const auto row = static_cast<float>(i / pool.columns);
        const float y0 = std::round(room.y + row * pitch);
        const float y1 = std::round(room.y + (row + 1) * pitch);
        Rect cell = part(room, i % pool.columns, pool.columns, gap);
        cell.y = y0, cell.h = std::max(1.0f, y1 - y0 - gap);
        if (i < pool.used)
            paint_cell(p, cell, hue);
        else
            paint_open(p, cell, p.ui.colors.text3, p.ui.colors.inset);
    }
}

}  // namespace kv
