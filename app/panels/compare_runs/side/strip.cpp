// One side of a comparison as a strip: every token as a cell, and a few of them unfolded below as
// words.

#include <algorithm>
#include <cmath>

#include "app/panels/compare_runs/side/paint.hpp"
#include "app/panels/stage/paint.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kStripWord = 15;  // logical pixels

Chip chip_at(const SidePicture& s, std::uint32_t token) {
    if (token >= s.now.tokens.size()) return {};
    return chip_of(s.run().lane(), s.pair.facts(s.side), {s.request, token});
}

bool is_lost(const Chip& chip) {
    return chip.state == ChipState::Dropped || chip.state == ChipState::Missing;
}

bool is_known(const Chip& chip) {
    return chip.state != ChipState::Empty && chip.state != ChipState::Queued;
}

Color color_of(const SidePicture& s, const Chip& chip) {
    const Palette& colors = s.ui.colors;
    switch (chip.state) {
        case ChipState::Query:
        case ChipState::Own:
            return colors.focus;
        case ChipState::Dropped:
        case ChipState::Missing:
        case ChipState::Empty:
        case ChipState::Queued:
        case ChipState::Next:
        case ChipState::Struck:
        case ChipState::Behind:
            return colors.inset;
        case ChipState::Ghost:
            return mix(colors.panel, s.hue().fill, 0.1);
        case ChipState::Past:  // nothing of it is stored any more
            return mix(colors.panel, colors.text3, 0.5);
        case ChipState::InHost:
            return mix(colors.panel, s.hue().fill, 0.42);
        case ChipState::Computing:
        case ChipState::Stored:
        case ChipState::Accepted:
            break;
    }
    return s.hue().fill;
}

void paint_cell(const SidePicture& s, const Painter& p, std::uint32_t token) {
    const Rect box = s.on_screen(s.strip.cell(token));
    const Chip chip = chip_at(s, token);
    if (!is_known(chip)) {
        // Outlines of narrow cells would be a wall where lines are heavy.
        if (box.w >= s.ui.px(10)) return outline(p, box, s.ui.colors.line);
        fill(p, box, s.ui.colors.inset);
        return fill(p, {box.x, box.bottom() - s.ui.line(), box.w, s.ui.line()}, s.ui.colors.text3);
    }
    fill(p, box, color_of(s, chip));
    if (is_lost(chip)) {
        const float line = s.ui.px(1);
        fill(p, {box.x, std::floor(box.center().y), box.w + 1, line}, s.ui.colors.loss.ink);
    }
    if (s.focus.pointed.token == TokenAt{s.focus.request, token})
        ring(p, box, {.color = s.ui.colors.text, .gap = 1});
    if (s.focus.token == token) brackets(p, box.inset(s.ui.px(2)), s.ui.colors.focus);
}

// Paints a column of more tokens than it has pixels: the share of them that is held, looked at in a
// few of its tokens.
void paint_column(const SidePicture& s, const Painter& p, float x) {
    constexpr std::uint32_t kLooks = 8;
    const std::uint32_t first = s.strip.token_at_x(x), end = s.strip.token_at_x(x + 1) + 1;
    const std::uint32_t step = std::max(1u, (end - first) / kLooks);
    std::uint32_t looks = 0, known = 0, held = 0;
    for (std::uint32_t i = first; i < end; i += step, ++looks) {
        const Chip chip = chip_at(s, i);
        known += is_known(chip);
        held += is_known(chip) && !is_lost(chip);
    }
    const Rect box = s.on_screen({x, s.strip.strip.y, 1, s.strip.strip.h});
    const auto share = static_cast<double>(held) / looks;
    fill(p, box, mix(s.ui.colors.inset, s.hue().fill, share));
    if (known > 0 && held == 0)
        fill(p, {box.x, std::floor(box.center().y), 1, s.ui.px(1)}, s.ui.colors.loss.ink);
}

void paint_cells(const SidePicture& s, const Painter& p) {
    if (s.strip.cell_w >= 1) {
        for (std::uint32_t i = 0; i < s.n_tokens(); ++i) paint_cell(s, p, i);
        return;
    }
    const float end = s.strip.strip.w;
    for (float x = 0; x < end; ++x) paint_column(s, p, s.strip.strip.x + x);
}

void paint_key(const SidePicture& s, const Painter& p) {
    const TextId words = !s.strip.has_gaps()     ? "pair.strip.key.dense"_t
                         : s.strip.block_gap > 0 ? "pair.strip.key"_t
                                                 : "pair.strip.key.cells"_t;
    text_in(p, type::caption(s.ui), s.on_screen(s.strip.key),
            fill(s.ui.text[words], {{"n", with_commas(s.n_tokens())}}));
}

// Lost, where nothing of it is held.
Color ink_of_range(const SidePicture& s) {
    if (s.unfolded->why != WhyUnfolded::Marked || s.entries.empty()) return s.ui.colors.text2;
    const MarkedKept count = count_marked(s.run().lane(), s.request, *s.focus.marked);
    return count.kept > 0 ? s.ui.colors.text : s.ui.colors.loss.ink;
}

Text words_of_range(const SidePicture& s) {
    constexpr std::array kWords{"pair.unfolded.marked"_t, "pair.unfolded.chosen"_t,
                                "pair.unfolded.dropped"_t, "pair.unfolded.parted"_t,
                                "pair.unfolded.newest"_t};
    return fill(
        s.ui.text[kWords[static_cast<std::size_t>(s.unfolded->why)]],
        {{"first", with_commas(s.strip.shown.first)}, {"last", with_commas(s.strip.shown.last)}});
}

void paint_plate(const Painter& p, const TextStyle& style, const Rect& r, std::string_view words) {
    fill(p, snap(r), p.ui.colors.panel);
    text_in(p, aligned(style, Align::Center), r, words);
}

void paint_ticks(const SidePicture& s, const Painter& p) {
    const TextStyle style = type::tick_label(s.ui);
    const float widest = text_width(s.ui, style, with_commas(s.strip.n_tokens));
    const std::uint32_t step = s.strip.tick_blocks(widest + s.ui.px(24)) * s.strip.block_size;
    for (std::uint32_t i = 0; i < s.strip.n_tokens; i += step) {
        const Text number = with_commas(i);
        const float w = std::ceil(text_width(s.ui, style, number)) + s.ui.px(4);
        const Rect at = s.on_screen(s.strip.cell(i)), row = s.on_screen(s.strip.ticks);
        paint_plate(p, style, {std::max(row.x - s.ui.px(2), at.x - s.ui.px(2)), row.y, w, row.h},
                    number);
    }
}

// Leads from the cells to their words, the way a lens is drawn.
void paint_lead(const SidePicture& s, const Painter& p) {
    const Color ink = ink_of_range(s);
    const WordRange cells =
        s.unfolded->why == WhyUnfolded::Marked ? s.unfolded->range : s.strip.shown;
    const WordRange inside{cells.first, std::min(cells.last, s.strip.n_tokens - 1)};
    const Rect from = s.on_screen(s.strip.cells(inside)).inset(-s.ui.px(2)),
               to = s.on_screen({s.strip.words.front().x, s.strip.words.front().y,
                                 s.strip.words.back().right() - s.strip.words.front().x, 0});
    const float end = to.y - s.ui.px(3);
    stroke(p, {from.x, from.bottom()}, {to.x, end}, ink);
    stroke(p, {from.right(), from.bottom()}, {to.right(), end}, ink);
    paint_ticks(s, p);
    outline(p, from, ink, 2, 2);
    const Rect lead = s.on_screen(s.strip.lead);
    const TextStyle style = colored(type::caption(s.ui), ink);
    const Text words = words_of_range(s);
    const float w = std::ceil(text_width(s.ui, style, words)) + s.ui.px(8);
    const float middle = (from.center().x + to.center().x) / 2;
    const float x = std::clamp(middle - w / 2, lead.x, std::max(lead.x, lead.right() - w));
    paint_plate(p, style, {std::floor(x), lead.y, w, lead.h - s.ui.px(4)}, words);
}

void paint_words(const SidePicture& s, const Painter& p) {
    const TextStyle index = aligned(type::tick_label(s.ui), Align::Center);
    for (std::size_t i = 0; i < s.strip.words.size(); ++i) {
        const std::uint32_t token = s.strip.shown.first + static_cast<std::uint32_t>(i);
        const Rect box = s.on_screen(s.strip.words[i]), row = s.on_screen(s.strip.indices);
        if (token < s.n_tokens())
            paint_pair_token(s, p, token, box, kStripWord);
        else
            outline(p, box, s.ui.colors.line, 2);
        text_in(p, index, {box.x, row.y, box.w, row.h}, with_commas(token));
    }
}

}  // namespace

void paint_pair_strip(const SidePicture& s) {
    const Painter p(s.ui);
    paint_key(s, p);
    paint_cells(s, p);
    if (s.unfolded && !s.strip.words.empty()) {
        paint_lead(s, p);
        paint_words(s, p);
    } else {
        paint_ticks(s, p);
    }
    hline(p, s.origin.x, s.origin.x + s.strip.rule.w, s.on_screen(s.strip.rule).y,
          s.ui.colors.line);
}

namespace {

void point_at(const SidePicture& s, std::uint32_t token, bool pressed) {
    if (token >= s.n_tokens()) return;
    s.focus.next_pointed.token = TokenAt{s.focus.request, token};
    offer_token_tip(s, token);
    if (pressed && token < s.now.tokens.size()) s.ui.out.push("select.token", std::uint64_t{token});
}

// The arrows move what is unfolded: one token, or one block.
void turn_strip(const SidePicture& s, PairUnfold& unfold) {
    const Arrows arrows = keep_arrows("tokens");
    if (!arrows || !s.unfolded) return;
    const WordRange& range = s.unfolded->range;
    const std::int64_t from = unfold.at.value_or((range.first + range.last) / 2);
    const std::int64_t to = from + arrows.right + std::int64_t{arrows.down} * s.strip.block_size;
    unfold.at = static_cast<std::uint32_t>(std::clamp<std::int64_t>(to, 0, s.strip.n_tokens - 1));
}

}  // namespace

void take_strip_input(const SidePicture& s, PairUnfold& unfold) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const Vec2 at{mouse.x - s.origin.x, mouse.y - s.origin.y};
    const Rect strip = s.on_screen(s.strip.strip);
    ImGui::SetCursorScreenPos(im(strip.min()));
    const Hit cells = hit_item("tokens", {strip.w, strip.h});
    if (cells.focused) {
        focus_ring(Painter(s.ui), cells.rect, 2);
        turn_strip(s, unfold);
    }
    if (cells.hovered && s.strip.n_tokens > 0) {
        const std::uint32_t token = s.strip.token_at_x(at.x);
        point_at(s, token, cells.pressed);
        if (cells.pressed) unfold.at = token;
    }
    if (s.strip.words.empty()) return;
    const Rect row = s.on_screen(s.strip.words.front());
    ImGui::SetCursorScreenPos(im(row.min()));
    const Hit words = hit_item("words", {strip.w, row.h});
    if (words.focused) focus_ring(Painter(s.ui), words.rect, 2);
    if (const auto token = words.hovered ? s.strip.word_at(at) : std::nullopt)
        point_at(s, *token, words.pressed);
}

}  // namespace kv
