// The request in focus, written out: one row for each logical block, and its chips.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/stage/paint.hpp"
#include "app/shell/drawn_parts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

bool is_pointed(const StagePicture& s, TokenAt token) {
    if (s.focus.pointed.token) return s.focus.pointed.token == token;
    if (!s.focus.pointed.block) return false;
    const auto place = place_of_token(s.lane(), token);
    return place && place->block == *s.focus.pointed.block;
}

// The number of the token whose word a chip shows; none where it is not known yet.
std::optional<std::uint32_t> token_of_chip(const RequestView& r, ChipState state,
                                           std::uint32_t position) {
    if (state == ChipState::Own) return r.draft->own;
    const bool drafted = state == ChipState::Ghost || state == ChipState::Accepted ||
                         state == ChipState::Struck || state == ChipState::Behind;
    if (drafted) return r.draft->tokens[position - r.draft->first];
    return position < r.tokens.size() ? std::optional(r.tokens[position]) : std::nullopt;
}

void paint_chips(const StagePicture& s, const Painter& p, const StageRow& row) {
    const Snapshot& now = s.now();
    const RequestView& r = now.requests[s.focus.request.index()];
    // A chip stands for a slot of the table. Which token has it is asked of the lane: where a
    // policy drops tokens it is not entry x block size + offset.
    for (std::uint32_t offset = 0; offset < now.block_size; ++offset) {
        const TokenAt at{s.focus.request,
                         position_in(s.lane(), s.focus.request, row.entry, offset)};
        const Rect box = s.on_screen(s.plan.chip(row, offset));
        Chip chip = chip_of(s.lane(), s.own.facts, at);
        // While the box is folded, what the model says stands where the struck one was.
        if (chip.state == ChipState::Struck && !s.plan.draft_box && r.draft->own)
            chip.state = ChipState::Own;
        const auto token = token_of_chip(r, chip.state, at.position);
        const std::string_view word = token ? bare_word(s.run.word(*token)) : std::string_view();
        const bool lit = s.plan.learn && s.focus.token && s.row_of(*s.focus.token) == row.entry;
        paint_chip(p, box, chip, word, s.hue(at.request), {.lit = lit});
        tell_part(s.ui, {PartKind::Token, at.position}, box);
        if (is_pointed(s, at)) ring(p, box, {.color = p.ui.colors.text, .radius = 2});
        if (s.is_selected(at)) brackets(p, box.inset(p.ui.px(3)), p.ui.colors.focus);
    }
}

// ---- What stands around the rows.

void paint_offsets(const StagePicture& s, const Painter& p) {
    const Ui& ui = s.ui;
    const Rect line = s.on_screen(s.plan.offsets);
    const StageRow head{s.plan.offsets.y, 0, 0};
    const std::uint32_t bs = s.now().block_size;
    const std::uint32_t n = s.plan.per_line == 0 ? bs : s.plan.per_line;
    const bool narrow = s.plan.chip_pitch < ui.px(20);
    // Over narrow chips the first number begins where the word would end.
    if (!narrow)
        text_in(p, type::caption(ui), {line.x, line.y, s.plan.chips.x, line.h},
                ui.text["stage.offset"_t]);
    for (std::uint32_t i = 0; i < n; i += narrow ? 4 : 1) {
        Rect box = s.on_screen(s.plan.chip(head, i));
        box.h = line.h;
        const bool on = s.focus.token && s.offset_of(*s.focus.token).value_or(bs) % n == i;
        const TextStyle plain = sized(type::number_small(ui), 12);
        const TextStyle style = on ? with_font(colored(plain, ui.colors.text), ui.fonts.mono_bold)
                                   : colored(plain, ui.colors.text3);
        text_in(p, aligned(style, Align::Center),
                {box.x - ui.px(8), box.y, box.w + ui.px(16), box.h}, std::to_string(i));
    }
    const auto over = [&](float x, float w, const char* text) {
        const float wide = ui.px(80);
        text_in(p, aligned(type::caption(ui), Align::Center),
                {std::round(s.origin.x + x + w / 2 - wide / 2), line.y, wide, line.h}, text);
    };
    over(s.plan.logical_x, s.plan.logical_w, ui.text["stage.logical"_t]);
    over(s.plan.physical_x, s.plan.physical_w, ui.text["stage.physical"_t]);
}

// Lights the crossing of the selected token's row and column.
void paint_crossing(const StagePicture& s, const Painter& p) {
    if (!s.focus.token || !s.plan.learn) return;
    const auto entry = s.row_of(*s.focus.token), offset = s.offset_of(*s.focus.token);
    for (const StageRow& row : s.plan.rows) {
        if (row.left_out > 0 || row.entry != entry) continue;
        const Rect cell = s.on_screen(s.plan.chip(row, *offset));
        const Rect chips = s.on_screen(s.plan.chips);
        const float top = s.on_screen(s.plan.offsets).y, over = s.ui.px(3);
        const Color wash = s.ui.colors.hover_wash();
        fill(p, {cell.x, top, cell.w, cell.y - over - top}, wash, 2);
        fill(p, {s.origin.x, cell.y - over, chips.right() + over - s.origin.x, cell.h + 2 * over},
             wash, 2);
    }
}

void paint_row_head(const StagePicture& s, const Painter& p, const StageRow& row, bool first,
                    std::uint32_t line) {
    const Ui& ui = s.ui;
    const Rect box = s.on_screen(
        {0, row.y + static_cast<float>(line) * s.plan.line_pitch, s.plan.chips.x, s.plan.chip_h});
    const float tag = ui.px(22);
    if (first) {
        const Vec2 at{box.x + tag / 2 + ui.px(1), std::floor(box.center().y)};
        draw_request_tag(p, at, 22, tag_of(s.now(), s.focus.request));
    }
    if (!s.plan.learn && (first || s.plan.headline == std::nullopt)) return;
    const bool on = s.focus.token && s.row_of(*s.focus.token) == row.entry &&
                    s.plan.line_of(s.offset_of(*s.focus.token).value_or(0)) == line;
    const TextStyle plain = sized(type::number_small(ui), 12);
    const TextStyle style = on ? with_font(colored(plain, ui.colors.text), ui.fonts.mono_bold)
                               : colored(plain, ui.colors.text3);
    const Text index =
        with_commas(position_in(s.lane(), s.focus.request, row.entry, line * s.plan.per_line));
    const float left = first ? tag + ui.px(2) : 0;
    const float right = text_width(ui, style, index) > box.w - left - ui.px(10) ? 4.0f : 10.0f;
    text_in(p, aligned(style, Align::Right),
            {box.x + left, box.y, box.w - left - ui.px(right), box.h}, index);
}

void paint_quiet_line(const StagePicture& s, const Painter& p, const StageRow& row) {
    const Ui& ui = s.ui;
    const float h = ui.px(18);
    const Rect box = s.on_screen({s.plan.chips.x, row.y, s.plan.chips.w, h});
    const Text text = fill(ui.text["stage.rows_left"_t], {{"count", with_commas(row.left_out)}});
    const float y = std::floor(box.center().y) - ui.px(3), dot = ui.px(2);
    for (int i = 0; i < 3; ++i)
        fill(p, {box.x + ui.px(2) + static_cast<float>(i) * ui.px(5), y, dot, dot},
             ui.colors.text3);
    text_in(p, type::caption(ui), {box.x + ui.px(22), box.y - ui.px(3), box.w, h}, text);
}

}  // namespace

void paint_rows(const StagePicture& s) {
    const Painter p(s.ui);
    if (s.focus.request.index() >= s.now().requests.size()) {
        const Rect line = s.on_screen(s.plan.offsets);
        return static_cast<void>(
            text_in(p, type::body(s.ui), line, s.ui.text["stage.no_requests"_t]));
    }
    paint_crossing(s, p);
    paint_offsets(s, p);
    bool first = true;
    for (const StageRow& row : s.plan.rows) {
        if (row.left_out > 0) {
            paint_quiet_line(s, p, row);
            continue;
        }
        for (std::uint32_t line = 0; line < s.plan.lines(); ++line)
            paint_row_head(s, p, row, first && line == 0, line);
        paint_chips(s, p, row);
        tell_part(s.ui, {PartKind::TokenRow, row.entry},
                  s.on_screen({s.plan.chips.x, row.y, s.plan.chips.w, s.plan.chip_h}));
        paint_table_entry(s, p, row);
        first = false;
    }
}

}  // namespace kv
