#include "app/frame/start/picture_paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/stage/paint.hpp"
#include "app/panels/stage/plan/chips.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

Text number(std::uint64_t n) {
    return with_commas(n);
}

void paint_offsets(const PicturePaint& s, const Painter& p) {
    const Ui& ui = s.ui;
    const Rect line = s.at(s.plan.offsets);
    const std::uint32_t page = s.run.now.block_size;
    const bool one = s.stored.n == 1 && !s.stored.places.empty();
    for (std::uint32_t i = 0; i < page; ++i) {
        const Rect chip = s.at(s.plan.chip(0, i));
        const bool on = one && s.stored.places[0].slot.value == i;
        text_in(p,
                {on ? ui.fonts.mono_bold : ui.fonts.mono, s.plan.wide ? 12.0f : 13.0f,
                 on ? ui.colors.text : ui.colors.text3, Align::Center},
                {chip.x, line.y, chip.w, line.h}, number(i));
    }
    const auto over = [&](const Rect& entry, TextId text) {
        const float wide = ui.px(90);
        text_in(p, {ui.fonts.regular, s.plan.wide ? 12.0f : 13.0f, ui.colors.text2, Align::Center},
                {std::round(entry.center().x - wide / 2), line.y, wide, line.h}, ui.text[text]);
    };
    over(s.at(s.plan.logical(0)), "stage.logical"_t);
    over(s.at(s.plan.physical(0)), "stage.physical"_t);
}

void paint_entry(const PicturePaint& s, const Painter& p, std::uint32_t row, BlockId block) {
    const Ui& ui = s.ui;
    const bool on = s.writes_row(row);
    const float size = s.plan.wide ? 13 : 15;
    const Rect logical = s.at(s.plan.logical(row)), physical = s.at(s.plan.physical(row));
    outline(p, logical, ui.colors.edge, 3);
    text_in(p, {ui.fonts.mono, size, ui.colors.text2, Align::Center}, logical, number(row));
    const float y = std::floor(logical.center().y) + 0.5f;
    arrow(p, {logical.right() + 1, y}, {physical.x - 1, y}, on ? ui.colors.focus : ui.colors.text3,
          on ? 2.0f : 1.4f);
    fill(p, physical, ui.colors.wash_of(s.hue()), 3);
    outline(p, physical, s.hue().ink, 3);
    text_in(p, {ui.fonts.mono_bold, size + 1, ui.colors.text, Align::Center}, physical,
            number(block.value));
    if (on && s.stored.n == 1) brackets(p, physical, ui.colors.focus);
}

// Chips of this picture are larger than those of the Stage and have fewer states.
void paint_word(const PicturePaint& s, const Painter& p, const Rect& box, const Chip& chip,
                std::string_view word) {
    const Ui& ui = s.ui;
    const Palette& colors = ui.colors;
    const float round = std::min(box.w, box.h) / 2 / ui.unit;
    TextStyle style{ui.fonts.regular, std::min(18.0f, box.h / ui.unit * 0.5f), colors.text,
                    Align::Center};
    if (chip.state == ChipState::Query && chip.generated) {
        fill(p, box, colors.focus, round);
        style = colored(with_font(style, ui.fonts.bold), colors.panel);
    } else if (chip.has_bar) {
        fill(p, box, colors.raised, 2);
        if (colors.is_light()) outline(p, box, colors.line, 2);
        const float bar = ui.px(box.h >= ui.px(30) ? 4.0f : 3.0f);
        fill(p, {box.x, box.bottom() - bar, box.w, bar}, s.hue().fill);
        if (const auto edge = needed_outline(colors, s.hue().fill))
            hline(p, box.x, box.right(), box.bottom() - bar, *edge);
    } else {
        dashed_pill(p, box, colors.text2);
    }
    Rect room = box.inset(ui.px(3));
    if (chip.has_bar && chip.state != ChipState::Query) room.h -= ui.px(2);
    text_that_fits(p, style, room, word);
}

void paint_row(const PicturePaint& s, const Painter& p, std::uint32_t row) {
    const Ui& ui = s.ui;
    const Snapshot& now = s.run.now;
    const RequestView& request = now.requests[kPictured.index()];
    const std::uint32_t page = std::max(1u, now.block_size);
    const Rect first = s.at(s.plan.chip(row, 0));
    if (s.writes_row(row) && s.stored.n == 1) {
        const float over = ui.px(6);
        const Rect last = s.at(s.plan.chip(row, page - 1));
        fill(
            p,
            {first.x - over, first.y - over / 2, last.right() - first.x + 2 * over, first.h + over},
            ui.colors.hover_wash(), 2);
    }
    if (row > 0)
        text_in(p, {ui.fonts.mono, 13, ui.colors.text3, Align::Right},
                {first.x - ui.px(60), first.y, ui.px(44), first.h}, number(row * page));
    const StageFacts no_facts;
    for (std::uint32_t i = 0; i < page && row * page + i < request.tokens.size(); ++i) {
        const TokenAt token{kPictured, row * page + i};
        paint_word(s, p, s.at(s.plan.chip(row, i)), chip_of(s.run.lane(), no_facts, token),
                   bare_word(s.run.word(request.tokens[token.position])));
    }
}

// ---- The pool.

void paint_slot(const PicturePaint& s, const Painter& p, const Rect& slot, BlockId block,
                std::uint32_t i) {
    const Ui& ui = s.ui;
    const BlockView& view = s.run.lane().blocks()[block.index()];
    if (i >= view.filled) return outline(p, slot, mix(ui.colors.panel, s.hue().fill, 0.4));
    if (!s.writes_slot(block, i)) {
        fill(p, slot, s.hue().fill);
        if (const auto edge = needed_outline(ui.colors, s.hue().fill)) outline(p, slot, *edge);
        return;
    }
    // Until they have arrived there is a place and nothing in it.
    const float half = std::round(slot.h / 2);
    if (s.way >= 1 || ui.reduced_motion) {
        paint_half(p, {slot.x, slot.y, slot.w, half}, Side::K);
        paint_half(p, {slot.x, slot.y + half, slot.w, slot.h - half}, Side::V);
    }
    ring(p, slot, {.color = ui.colors.focus, .radius = 1, .width = 2});
}

void paint_block(const PicturePaint& s, const Painter& p, std::uint32_t id) {
    const Ui& ui = s.ui;
    const Rect cell = s.at(s.plan.cell(id));
    const BlockId block(id);
    const bool used = s.run.lane().blocks()[id].state() == BlockState::Used;
    fill(p, cell, used ? ui.colors.wash_of(s.hue()) : ui.colors.inset, 3);
    outline(p, cell, used ? s.hue().ink : ui.colors.line, 3);
    const float head = std::min(ui.px(30), std::round(cell.h * 0.32f)), pad = ui.px(9);
    const float size = s.plan.wide ? 13 : 16;
    text_in(
        p,
        {used ? ui.fonts.mono_bold : ui.fonts.mono, size, used ? ui.colors.text : ui.colors.text3},
        {cell.x + pad, cell.y, 0, head}, number(id));
    if (!used) return;
    const float tag = s.plan.wide ? 15 : 20;
    draw_request_tag(p, {cell.right() - pad - ui.px(tag / 2), cell.y + std::round(head / 2)}, tag,
                     tag_of(s.run.now, kPictured));
    const std::uint32_t page = std::max(1u, s.run.now.block_size);
    const Rect slots{cell.x + pad, cell.y + head + ui.px(1), cell.w - 2 * pad,
                     cell.h - head - ui.px(1) - pad};
    const float pitch = (slots.w + ui.px(3)) / static_cast<float>(page);
    for (std::uint32_t i = 0; i < page; ++i) {
        const float x = std::round(slots.x + pitch * static_cast<float>(i));
        paint_slot(s, p, {x, slots.y, std::round(pitch) - ui.px(3), slots.h}, block, i);
    }
    if (s.blocks_written() == 1 && s.stored.places[0].block == block)
        brackets(p, cell, ui.colors.focus);
}

}  // namespace

bool PicturePaint::writes_row(std::uint32_t row) const {
    return std::any_of(stored.places.begin(), stored.places.end(),
                       [row](const TokenPlace& place) { return place.entry == row; });
}
bool PicturePaint::writes_slot(BlockId block, std::uint32_t slot) const {
    return std::any_of(stored.places.begin(), stored.places.end(), [&](const TokenPlace& place) {
        return place.block == block && place.slot.value == slot;
    });
}
std::size_t PicturePaint::blocks_written() const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < stored.places.size(); ++i)
        if (i == 0 || stored.places[i].block != stored.places[i - 1].block) ++n;
    return n;
}

void paint_half(const Painter& p, const Rect& box, Side side) {
    const Hue& hue = side == Side::K ? p.ui.colors.k : p.ui.colors.v;
    fill(p, box, hue.fill);
    if (const auto edge = needed_outline(p.ui.colors, hue.fill)) outline(p, box, *edge);
}

void paint_rows(const PicturePaint& s) {
    const Painter p(s.ui);
    paint_offsets(s, p);
    const Rect tag = s.at(s.plan.tag);
    const float side = s.plan.wide ? 24 : 36;
    draw_request_tag(p, {tag.x + s.ui.px(side / 2), std::floor(tag.center().y)}, side,
                     tag_of(s.run.now, kPictured));
    for (std::uint32_t row = 0; row < rows_of(s.run.lane(), kPictured); ++row) paint_row(s, p, row);
    for (const PictureLine& line : s.lines) paint_entry(s, p, line.row, line.block);
}

void paint_blocks(const PicturePaint& s) {
    const Painter p(s.ui);
    for (std::uint32_t id = 0; id < s.run.layout.n_blocks; ++id) paint_block(s, p, id);
}

void paint_lines(const PicturePaint& s, bool written) {
    const Painter p(s.ui);
    for (const PictureLine& line : s.lines) {
        const bool on = s.writes_row(line.row) && s.stored.n == 1;
        if (on != written) continue;
        List<Vec2> points;
        for (const Vec2& point : line.points) points.push_back(s.page.at(point));
        connector(p, points,
                  {.color = on ? s.ui.colors.focus : s.hue().ink,
                   .halo = s.ui.colors.panel,
                   .width = on ? 2.5f : 1.8f});
    }
}

// Key and value as one chip in two halves, on its way or, where nothing moves, standing on it.
void paint_travellers(const PicturePaint& s) {
    const Ui& ui = s.ui;
    if (s.way >= 1 && !ui.reduced_motion) return;
    const Painter p(ui);
    const float w = ui.px(s.plan.wide ? 24.0f : 35.0f), h = ui.px(s.plan.wide ? 17.0f : 24.0f);
    for (const PictureLine& line : s.lines) {
        if (!s.writes_row(line.row)) continue;
        const Vec2 at =
            s.page.at(ui.reduced_motion ? rest_on(line.points) : point_on(line.points, s.way));
        const float x = std::round(at.x), y = std::round(at.y - h / 2);
        const TextStyle letter{ui.fonts.bold, s.plan.wide ? 12.0f : 14.0f, ui.colors.on_fill,
                               Align::Center};
        fill(p, {x - w - ui.px(3), y - ui.px(3), 2 * w + ui.px(6), h + ui.px(6)}, ui.colors.panel);
        const Rect k{x - w, y, w, h}, v{x, y, w, h};
        paint_half(p, k, Side::K);
        paint_half(p, v, Side::V);
        text_in(p, letter, k, "K");
        text_in(p, letter, v, "V");
    }
}

}  // namespace kv
