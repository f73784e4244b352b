// One block of the pool, by the room that it has: a shape or a label where it is small, its header
// and its slots where there is more. BlockClass says from which width on.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/stage/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// Parts of a cell's height, from its top: where the slots begin, and the middle of the header.
constexpr float kSlotsFrom = 0.36f, kHeaderMiddle = 0.185f;
constexpr float kDot = 0.28f;  // of a small block's width: cached, shared or with dead slots
// Heights, of all, at which the two arrows of a pin or a copy enter a block.
constexpr std::array kArrowAt{0.36f, 0.66f};

struct BlockPaint {
    const StagePicture& s;
    const Painter& p;
    BlockId id;
    Rect cell;
    const BlockView& view;
    std::span<const Holder> holders;
    std::optional<SeqId> owner;  // in focus if that is one of them
    bool shared = false;
    Hue hue;  // of the owner; quieter when it is not in focus
};

std::optional<SeqId> owner_of(const StagePicture& s, std::span<const Holder> holders) {
    for (const Holder& holder : holders)
        if (holder.request == s.focus.request) return holder.request;
    if (holders.empty()) return std::nullopt;
    return holders.front().request;
}

bool is_used(const BlockPaint& b) {
    return b.view.state() == BlockState::Used;
}

void paint_frame(const BlockPaint& b) {
    const Palette& colors = b.p.ui.colors;
    switch (b.view.state()) {
        case BlockState::Free:
            fill(b.p, b.cell, colors.inset, 3);
            return outline(b.p, b.cell, colors.line, 3);
        case BlockState::Cached:
            fill(b.p, b.cell, colors.inset, 3);
            return dashed_outline(b.p, b.cell, colors.cached.ink, 3);
        case BlockState::Used:
            break;
    }
    if (!b.shared) {
        fill(b.p, b.cell, colors.wash_of(b.hue), 3);
        return outline(b.p, b.cell, b.hue.ink, 3);
    }
    fill(b.p, b.cell, colors.pressed_wash(), 3);
    outline(b.p, b.cell, colors.shared, 3);
    outline(b.p, b.cell.inset(b.p.ui.px(3)), colors.shared, 1);
}

// The slots of a block as a little grid; a block of many slots gets more columns.
struct SlotGrid {
    Rect room;
    std::uint32_t columns, rows;
    Rect slot(std::uint32_t i, float gap) const {
        const float px = room.w / static_cast<float>(columns),
                    py = room.h / static_cast<float>(rows);
        const std::uint32_t line = i / columns;
        const auto column = static_cast<float>(i % columns), row = static_cast<float>(line);
        const float x = std::round(room.x + column * px), y = std::round(room.y + row * py);
        return {x, y, std::max(1.0f, std::round(room.x + (column + 1) * px) - x - gap),
                std::max(1.0f, std::round(room.y + (row + 1) * py) - y - gap)};
    }
};
SlotGrid slot_grid(const Ui& ui, const Rect& cell, std::uint32_t block_size) {
    const std::uint32_t columns = block_size <= 4    ? block_size
                                  : block_size <= 8  ? (block_size + 1) / 2
                                  : block_size <= 32 ? 8
                                                     : 16;
    const float side = ui.px(7), top = std::round(cell.h * kSlotsFrom);
    return {{cell.x + side, cell.y + top, cell.w - 2 * side + ui.px(1), cell.h - top - ui.px(6)},
            std::max(1u, columns),
            (block_size + std::max(1u, columns) - 1) / std::max(1u, columns)};
}

Color slot_color(const BlockPaint& b) {
    return b.shared ? b.p.ui.colors.shared : b.hue.fill;
}

// The outline of a slot that holds nothing, or nothing that counts.
Color empty_slot_color(const BlockPaint& b) {
    return mix(b.p.ui.colors.panel, slot_color(b), 0.45);
}

// The slot of the token that the inspector shows; nothing in other blocks.
std::optional<std::uint32_t> inspected_slot(const BlockPaint& b) {
    if (!b.s.focus.token) return std::nullopt;
    const auto place = place_of_token(b.s.lane(), {b.s.focus.request, *b.s.focus.token});
    if (!place || place->block != b.id) return std::nullopt;
    return place->slot.value;
}

bool is_written(const BlockPaint& b, std::uint32_t slot) {
    for (const SlotsWritten& w : b.s.own.facts.written())
        if (w.block == b.id && slot >= w.first && slot < w.last) return true;
    return false;
}
bool is_written(const BlockPaint& b) {
    for (const SlotsWritten& w : b.s.own.facts.written())
        if (w.block == b.id) return true;
    return false;
}

// Given up by all who hold the block.
bool is_dead(const BlockPaint& b, std::uint32_t slot) {
    return b.view.dead > 0 && !b.holders.empty() &&
           std::all_of(b.holders.begin(), b.holders.end(), [&](const Holder& h) {
               return is_dropped_slot(b.s.lane(), h.request, h.entry, slot);
           });
}
float live_part(const BlockPaint& b) {
    const float bs = static_cast<float>(std::max(1u, b.s.now().block_size));
    return std::clamp(static_cast<float>(b.view.filled - b.view.dead) / bs, 0.0f, 1.0f);
}

// Inside a step a slot fills from its foot, layer by layer.
void paint_written_part(const BlockPaint& b, const Rect& slot) {
    const float h = std::clamp(std::round(slot.h * b.s.own.facts.written_share()), 1.0f, slot.h);
    fill(b.p, {slot.x, slot.bottom() - h, slot.w, h}, slot_color(b));
}

void paint_slots(const BlockPaint& b) {
    const Ui& ui = b.p.ui;
    const std::uint32_t bs = b.s.now().block_size;
    const SlotGrid grid = slot_grid(ui, b.cell, bs);
    const bool thick = grid.room.h / static_cast<float>(grid.rows) >= 4;
    const float gap = thick ? ui.px(1) : 0;
    const auto inspected = inspected_slot(b);
    const StageFacts& facts = b.s.own.facts;
    for (std::uint32_t i = 0; i < bs; ++i) {
        const Rect slot = grid.slot(i, gap);
        if (b.view.state() == BlockState::Cached) {
            const Vec2 at = slot.center();
            const float dot = ui.px(2);
            fill(b.p, {std::round(at.x - dot / 2), std::round(at.y - dot / 2), dot, dot},
                 ui.colors.cached.ink);
        } else if (i < b.view.filled && is_dead(b, i)) {
            outline(b.p, slot, empty_slot_color(b));
            cross_mark(b.p, slot.center(), std::min(7.0f, slot.h / ui.unit), ui.colors.loss.ink);
        } else if (i < b.view.filled) {
            fill(b.p, slot, inspected == i ? ui.colors.focus : slot_color(b));
            if (const auto edge = needed_outline(ui.colors, slot_color(b)); edge && inspected != i)
                outline(b.p, slot, *edge);
        } else {
            outline(b.p, slot, empty_slot_color(b));
            if (is_written(b, i)) paint_written_part(b, slot);
        }
        if (facts.is_writing() && is_written(b, i))
            outline(b.p, slot.inset(-ui.px(1)), ui.colors.focus, 1, 2);
    }
}

// ---- Header: id, ref count, tags.

List<SeqId> requests_of(const BlockPaint& b) {
    List<SeqId> names;
    for (const Holder& h : b.holders)
        if (names.empty() || names.back() != h.request) names.push_back(h.request);
    return names;
}

float tag_step(const Ui& ui, float size) {
    return ui.px(size) + ui.px(1);
}

void paint_tags(const BlockPaint& b, float right, float y, float size, float room) {
    const Ui& ui = b.p.ui;
    const float step = tag_step(ui, size);
    const List<SeqId> names = requests_of(b);
    const auto fit = static_cast<std::size_t>(std::max(0.0f, room / step));
    const std::size_t n = std::min(names.size(), fit);
    for (std::size_t i = 0; i < n; ++i) {
        const float x = right - step * static_cast<float>(n - i) + ui.px(1) + ui.px(size) / 2;
        draw_request_tag(b.p, {std::floor(x), y}, size, tag_of(b.s.now(), names[i]));
    }
}

void paint_header(const BlockPaint& b) {
    const Ui& ui = b.p.ui;
    const bool used = is_used(b);
    const float pad = ui.px(6), y = b.cell.y + std::round(b.cell.h * kHeaderMiddle);
    const TextStyle id{used ? ui.fonts.mono_bold : ui.fonts.mono, 12,
                       used ? ui.colors.text : ui.colors.text2};
    const Text number = with_commas(b.id.value);
    const Rect line{b.cell.x + pad, y - ui.px(8), 0, ui.px(16)};
    text_in(b.p, id, line, number);
    float left = line.x + std::ceil(text_width(ui, id, number)) + ui.px(3);
    const float right = b.cell.right() - ui.px(5);
    if (b.shared) {
        const TextStyle count{ui.fonts.mono, 11, ui.colors.text2};
        const Text times = "×" + with_commas(b.view.ref_count);
        const float after = left + std::ceil(text_width(ui, count, times)) + ui.px(2);
        // The tags of all that share it say the number too, where there is no room for both.
        const std::size_t names = requests_of(b).size();
        const float tags = tag_step(ui, 12) * static_cast<float>(names);
        const bool tags_say_it =
            names == b.view.ref_count && tags > right - after && tags <= right - left;
        if (!tags_say_it) text_in(b.p, count, {left, line.y, 0, line.h}, times), left = after;
    }
    if (used) return paint_tags(b, right, y, 12, right - left);
    if (b.view.state() != BlockState::Cached) return;
    if (const auto last = b.s.own.facts.last_owner(b.id))
        return draw_request_tag(b.p, {right - ui.px(6), y}, 12,
                                {.index = b.s.own.facts.tag_index(*last), .finished = true});
    text_in(b.p, aligned(type::tick_label(ui), Align::Right),
            {right - ui.px(12), line.y, ui.px(12), line.h}, "#");
}

// ---- From 20 px: id, tag, fill bar.

void paint_fill_bar(const BlockPaint& b, const Rect& bar) {
    const Ui& ui = b.p.ui;
    const float part = live_part(b);
    fill(b.p, bar, ui.colors.inset);
    fill(b.p, {bar.x, bar.y, std::round(bar.w * part), bar.h}, slot_color(b));
    if (const auto edge = needed_outline(ui.colors, slot_color(b))) outline(b.p, bar, *edge);
    if (b.view.dead == 0) return;
    const float w = std::max(1.0f, std::round(bar.w * static_cast<float>(b.view.dead) /
                                              static_cast<float>(b.s.now().block_size)));
    fill(b.p, {bar.x + std::round(bar.w * part), bar.y, w, bar.h}, ui.colors.loss.fill);
}

void paint_label(const BlockPaint& b) {
    const Ui& ui = b.p.ui;
    const bool used = is_used(b), wide = b.cell.w >= ui.px(34), high = b.cell.h >= ui.px(30);
    const TextStyle id{used ? ui.fonts.mono_bold : ui.fonts.mono, wide ? 12.0f : 11.0f,
                       used ? ui.colors.text : ui.colors.text3};
    const float bar_h = std::round(b.cell.h * (high ? 0.22f : 0.18f)), pad = ui.px(4);
    const float text_h = used ? b.cell.h - bar_h - pad : b.cell.h;
    const Rect line{b.cell.x + ui.px(5), b.cell.y, b.cell.w - ui.px(8), text_h};
    const Text number = with_commas(b.id.value);
    const float number_w = text_width(ui, id, number);
    if (number_w <= line.w + ui.px(2)) text_in(b.p, id, {line.x, line.y, 0, line.h}, number);
    const float room = line.w - number_w - ui.px(2);
    if (b.shared) {
        const TextStyle count{ui.fonts.mono_bold, 11, ui.colors.text2, Align::Right};
        const Text times = "×" + with_commas(b.view.ref_count);
        if (room >= text_width(ui, count, times))
            text_in(b.p, count, {line.x, line.y, line.w - ui.px(2), line.h}, times);
    } else if (used && room >= ui.px(13)) {
        paint_tags(b, b.cell.right() - ui.px(3), line.y + std::round(line.h / 2), 13, room);
    } else if (!used && b.view.state() == BlockState::Cached && room >= ui.px(8)) {
        text_in(b.p, aligned(type::tick_label(ui), Align::Right), {line.x, line.y, line.w, line.h},
                "#");
    }
    if (!used) return;
    paint_fill_bar(b, {b.cell.x + pad, b.cell.bottom() - pad - bar_h, b.cell.w - 2 * pad, bar_h});
}

// ---- Below 20 px.

void paint_small(const BlockPaint& b) {
    const Palette& colors = b.p.ui.colors;
    const float dot = std::max(1.0f, std::round(b.cell.w * kDot));
    const Vec2 middle{std::round(b.cell.center().x - dot / 2),
                      std::round(b.cell.center().y - dot / 2)};
    if (!is_used(b)) {
        const bool cached = b.view.state() == BlockState::Cached;
        fill(b.p, b.cell, colors.inset);
        outline(b.p, b.cell, cached ? colors.cached.ink : colors.line);
        if (cached) fill(b.p, {middle.x, middle.y, dot, dot}, colors.cached.ink);
        return;
    }
    const float part = live_part(b);
    const Color color = slot_color(b);
    const Color back = part < 1 ? mix(colors.panel, color, kPale) : color;
    fill(b.p, b.cell, back);
    if (part < 1)
        fill(b.p, {b.cell.x, b.cell.y, b.cell.w, std::max(1.0f, std::round(b.cell.h / 2))}, color);
    if (const auto edge = needed_outline(colors, color)) outline(b.p, b.cell, *edge);
    if (b.shared) fill(b.p, {middle.x, middle.y, dot, dot}, colors.on_fill);
    if (b.view.dead > 0) fill(b.p, {middle.x, b.cell.bottom() - dot, dot, dot}, colors.loss.fill);
}

// ---- Marks over any of them.

void paint_marks(const BlockPaint& b, BlockClass look) {
    const Ui& ui = b.p.ui;
    const Palette& colors = ui.colors;
    const float w = b.cell.w / ui.unit;
    if (b.s.own.facts.is_writing() && is_written(b) && look != BlockClass::Slots)
        ring(b.p, b.cell,
             {.color = colors.focus,
              .radius = look >= BlockClass::Label ? 3.0f : 0.0f,
              .width = w >= 12 ? 2.0f : 1.0f});
    if (b.s.own.facts.is_read(b.s.now(), b.id)) {
        const float h = std::min(ui.px(4), std::max(1.0f, std::round(b.cell.h / 4)));
        fill(b.p, {b.cell.x, b.cell.bottom() - h, b.cell.w, h}, colors.focus,
             look >= BlockClass::Label ? 1.0f : 0.0f);
    }
    if ((b.view.pins == 0 && !b.s.own.facts.is_copied_to(b.id)) || look < BlockClass::Label) return;
    const float x = b.cell.x - ui.px(1), size = ui.px(5);
    for (const float share : kArrowAt) {
        const float y = std::round(b.cell.y + b.cell.h * share);
        arrow(b.p, {x - size, y}, {x + size, y}, colors.focus, 2);
    }
}

}  // namespace

void paint_block(const StagePicture& s, const Painter& p, std::uint32_t block, const Rect& cell) {
    const BlockId id(block);
    const BlockView& view = s.lane().blocks()[block];
    BlockPaint b{.s = s,
                 .p = p,
                 .id = id,
                 .cell = cell,
                 .view = view,
                 .holders = s.own.facts.holders(id),
                 .owner = {},
                 .shared = view.ref_count > 1,
                 .hue = {}};
    b.owner = owner_of(s, b.holders);
    if (b.owner)
        b.hue =
            *b.owner == s.focus.request ? s.hue(*b.owner) : quieter(s.ui.colors, s.hue(*b.owner));
    switch (s.grid.look) {
        case BlockClass::Slots:
            paint_frame(b);
            paint_header(b);
            if (view.state() != BlockState::Free) paint_slots(b);
            break;
        case BlockClass::Label:
            paint_frame(b);
            paint_label(b);
            break;
        case BlockClass::Outline:
        case BlockClass::Shape:
        case BlockClass::Texel:  // texels.cpp paints these
            paint_small(b);
    }
    paint_marks(b, s.grid.look);
}

}  // namespace kv
