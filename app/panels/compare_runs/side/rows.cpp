// One side of a comparison whose tokens all have room as words: rows of 16, with the place where
// the sides part.

#include <algorithm>
#include <cmath>

#include "app/panels/compare_runs/side/paint.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/stage/paint.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

// `size` of the words, logical pixels.
void paint_future(const SidePicture& s, const Painter& p, const Rect& box, std::string_view word,
                  float size) {
    outline(p, box, s.ui.colors.line, box.h / 2 / s.ui.unit);
    text_that_fits(p, sized(colored(type::body(s.ui), s.ui.colors.text3), size),
                   {box.x + s.ui.px(4), box.y, std::max(1.0f, box.w - s.ui.px(8)), box.h}, word);
}

void paint_parting(const SidePicture& s, const Painter& p, const Rect& box, std::string_view word,
                   bool is_there, float size) {
    const Ui& ui = s.ui;
    const Hue loss = ui.colors.loss;
    const float radius = box.h / 2 / ui.unit;
    const Rect room{box.x + ui.px(4), box.y, std::max(1.0f, box.w - ui.px(8)), box.h};
    if (says_as_full(s)) {
        if (is_there) fill(p, box, ui.colors.raised, radius);
        outline(p, box, ui.colors.text, radius, 1.5f);
        return text_that_fits(p, sized(colored(type::strong(ui), ui.colors.text), size), room,
                              word);
    }
    if (is_there) {
        fill(p, box, loss.fill, radius);
        if (const auto edge = needed_outline(ui.colors, loss.fill)) outline(p, box, *edge, radius);
        return text_that_fits(p, sized(colored(type::strong(ui), ui.colors.on_fill), size), room,
                              word);
    }
    outline(p, box, loss.ink, radius, 1.5f);
    text_that_fits(p, sized(colored(type::strong(ui), loss.ink), size), room, word);
}

// One outline around the marked tokens of each row.
void paint_marked(const SidePicture& s, const Painter& p) {
    const auto& marked = s.focus.marked;
    const auto n = static_cast<std::uint32_t>(s.tokens.size());
    if (!marked || marked->request != s.now.name || n == 0) return;
    const MarkedKept count = count_marked(s.run().lane(), s.request, *marked);
    const Color color = s.entries.empty() ? s.ui.colors.text2
                        : count.kept > 0  ? s.ui.colors.text
                                          : s.ui.colors.loss.ink;
    for (std::uint32_t i = marked->first; i <= std::min(marked->last, n - 1);) {
        const std::uint32_t end =
            std::min({marked->last + 1, n, (i / kPairColumns + 1) * kPairColumns});
        const Rect from = s.on_screen(s.rows->chip(i)), to = s.on_screen(s.rows->chip(end - 1));
        outline(p, Rect{from.x, from.y, to.right() - from.x, from.h}.inset(-s.ui.px(2)), color, 3,
                2);
        i = end;
    }
}

// "91  cellar here, right says tower", in the colour of the pill.
void paint_note(const SidePicture& s) {
    if (!s.rows->note || s.parting == nullptr) return;
    const Ui& ui = s.ui;
    const List<SentencePiece> said = parting_words(s.pair, s.side, *s.parting, ui.text);
    const Text index = with_commas(s.parting->index);
    const Color ink = says_as_full(s) ? ui.colors.text : ui.colors.loss.ink;
    const TextStyle plain = colored(type::body(ui), ink), value = colored(type::strong(ui), ink);
    List<Run> runs{{colored(with_font(type::tick_label(ui), ui.fonts.mono_bold), ink), index}};
    for (const SentencePiece& piece : said)
        runs.push_back({piece.is_value ? value : plain, piece.text});
    if (runs.size() > 1) runs[1].gap = 10;
    Rect line = s.on_screen(*s.rows->note);
    const float w = text_width(ui, runs[0].style, index);
    line.x += std::max(0.0f, s.rows->gutter - ui.px(10) - w);
    runs_in(Painter(ui), runs, line);
}

}  // namespace

void paint_pair_token(const SidePicture& s, const Painter& p, std::uint32_t i, const Rect& box,
                      float size) {
    const bool is_there = i < s.now.tokens.size();
    if (s.parting != nullptr && s.parting->index == i)
        paint_parting(s, p, box, s.word(i), is_there, size);
    else if (!is_there)
        paint_future(s, p, box, s.word(i), size);
    else
        paint_chip(p, box, chip_of(s.run().lane(), s.pair.facts(s.side), {s.request, i}), s.word(i),
                   s.hue(), {.size = size});
    if (s.focus.pointed.token == TokenAt{s.focus.request, i})
        ring(p, box, {.color = s.ui.colors.text, .radius = 2});
    if (s.focus.token == i) brackets(p, box.inset(s.ui.px(3)), s.ui.colors.focus);
}

void paint_pair_rows(const SidePicture& s) {
    const Painter p(s.ui);
    const TextStyle index = aligned(type::tick_label(s.ui), Align::Right);
    for (std::uint32_t i = 0; i < s.n_tokens(); ++i) {
        const Rect box = s.on_screen(s.rows->chip(i));
        if (i % kPairColumns == 0)
            text_in(p, index, {s.origin.x, box.y, s.rows->gutter - s.ui.px(10), box.h},
                    with_commas(i));
        paint_pair_token(s, p, i, box);
    }
    paint_marked(s, p);
    paint_note(s);
}

void offer_token_tip(const SidePicture& s, std::uint32_t token) {
    if (!ImGui::BeginTooltip()) return;
    ImGui::Text("%s  %s", with_commas(token).c_str(),
                spoken_word(s.run(), s.tokens[token]).c_str());
    ImGui::EndTooltip();
}

float draw_event_link(const SidePicture& s, const Rect& line) {
    const Ui& ui = s.ui;
    if (s.side != CompareSide::Left) return 0;
    const TextStyle style = colored(type::caption(ui), ui.colors.text2);
    const char* label = ui.text["pair.event"_t];
    const float w = std::ceil(text_width(ui, style, label));
    if (w > line.w / 2) return 0;
    ImGui::SetCursorScreenPos({std::floor(line.right() - w), line.y});
    const Hit hit = hit_item("event", {w, line.h});
    const Painter p(ui);
    text_in(p, hit.hovered ? colored(style, ui.colors.text) : style, hit.rect, label);
    hline(p, hit.rect.x, hit.rect.right(), std::round(line.center().y + ui.px(8)),
          hit.hovered ? ui.colors.text : ui.colors.edge);
    if (hit.focused) focus_ring(p, hit.rect);
    if (hit.pressed) ui.out.push("run.difference_event");
    return w + ui.px(8);
}

void take_rows_input(const SidePicture& s) {
    // The link comes before the item of all rows, which would take the mouse from it.
    if (s.rows->note && s.parting != nullptr) draw_event_link(s, s.on_screen(*s.rows->note));
    ImGui::SetCursorScreenPos({s.origin.x, s.origin.y + s.rows->title.h});
    const float h = s.rows->prediction_head.y - s.rows->title.h;
    const Hit hit = hit_item("tokens", {s.rows->title.w, h});
    if (hit.focused) focus_ring(Painter(s.ui), hit.rect, 2);
    if (!hit.hovered) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const Vec2 at{mouse.x - s.origin.x, mouse.y - s.origin.y};
    if (const auto token = s.rows->token_at(at, s.n_tokens())) {
        s.focus.next_pointed.token = TokenAt{s.focus.request, *token};
        offer_token_tip(s, *token);
        if (hit.pressed && *token < s.now.tokens.size())
            s.ui.out.push("select.token", std::uint64_t{*token});
        return;
    }
    const auto place =
        s.rows->block_at(at, s.run().now.block_size, static_cast<std::uint32_t>(s.entries.size()));
    if (!place || s.side != CompareSide::Left) return;
    const BlockId block = *(*s.table())[s.entries[*place]];
    s.focus.next_pointed.block = block;
    if (hit.pressed) s.ui.out.push("select.block", std::uint64_t{block.value});
}

}  // namespace kv
