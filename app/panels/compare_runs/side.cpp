// One side of a comparison of two runs: what it is, and its tokens with the place where the sides
// part.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/side_paint.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/stage/paint.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

// ---- Title and tokens.

// What the side keeps: where there is little room in smaller letters, then without its last clause.
void paint_caption(const Painter& p, const Rect& room, std::string_view words) {
    constexpr std::array kSizes{13.0f, 12.0f, 11.0f};
    const TextStyle style = type::body(p.ui);
    for (std::string_view part = words; !part.empty();) {
        for (const float size : kSizes)
            if (text_width(p.ui, sized(style, size), part) <= room.w)
                return static_cast<void>(text_in(p, sized(style, size), room, part));
        const std::size_t clause = part.rfind(", ");
        part = clause == std::string_view::npos ? std::string_view() : part.substr(0, clause);
    }
    text_in(p, sized(style, kSizes.back()), room, words);
}

void paint_title(const Ui& ui, const RunView& run, CompareSide side, const Rect& r) {
    const Painter p(ui);
    const SideTitle words = side_title(run, ui.text);
    const float mark = ui.px(14);
    draw_side_mark(p, {r.x + mark / 2, std::floor(r.center().y)}, 12, side, ui.colors.text);
    const TextStyle title = type::object_title(ui);
    const Rect line{r.x + mark + ui.px(10), r.y, r.w - mark - ui.px(10), r.h};
    const float w = std::min(line.w, text_width(ui, title, words.title));
    text_in(p, title, line, words.title);
    const float x = line.x + w + ui.px(12);
    const Text per_token =
        fill(ui.text["pair.per_token"_t], {{"bytes", bytes_binary(bytes_per_token(run.layout))}});
    const TextStyle mono = type::number_small(ui);
    const float right = text_width(ui, mono, per_token);
    // What the side is says more than what all sides have.
    const bool both =
        line.right() - x >= text_width(ui, type::body(ui), words.caption) + ui.px(12) + right;
    if (both) text_in(p, aligned(mono, Align::Right), line, per_token);
    const float end = line.right() - (both ? right + ui.px(12) : 0);
    if (end - x > ui.px(40)) paint_caption(p, {x, r.y, end - x, r.h}, words.caption);
}

void paint_future(const SidePicture& s, const Painter& p, const Rect& box, std::string_view word) {
    outline(p, box, s.ui.colors.line, box.h / 2 / s.ui.unit);
    text_that_fits(p, colored(type::body(s.ui), s.ui.colors.text3),
                   {box.x + s.ui.px(4), box.y, std::max(1.0f, box.w - s.ui.px(8)), box.h}, word);
}

void paint_parting(const SidePicture& s, const Painter& p, const Rect& box, std::string_view word,
                   bool is_there) {
    const Ui& ui = s.ui;
    const Hue loss = ui.colors.loss;
    const float radius = box.h / 2 / ui.unit;
    const Rect room{box.x + ui.px(4), box.y, std::max(1.0f, box.w - ui.px(8)), box.h};
    if (says_as_full(s)) {
        if (is_there) fill(p, box, ui.colors.raised, radius);
        outline(p, box, ui.colors.text, radius, 1.5f);
        return text_that_fits(p, colored(type::strong(ui), ui.colors.text), room, word);
    }
    if (is_there) {
        fill(p, box, loss.fill, radius);
        if (const auto edge = needed_outline(ui.colors, loss.fill)) outline(p, box, *edge, radius);
        return text_that_fits(p, colored(type::strong(ui), ui.colors.on_fill), room, word);
    }
    outline(p, box, loss.ink, radius, 1.5f);
    text_that_fits(p, colored(type::strong(ui), loss.ink), room, word);
}

void paint_token(const SidePicture& s, const Painter& p, std::uint32_t i) {
    const Rect box = s.on_screen(s.plan.chip(i));
    const std::string_view word = bare_word(s.run().word(s.tokens[i]));
    const bool is_there = i < s.now.tokens.size();
    if (s.parting != nullptr && s.parting->index == i)
        paint_parting(s, p, box, word, is_there);
    else if (!is_there)
        paint_future(s, p, box, word);
    else
        paint_chip(p, box, chip_of(s.run().lane(), s.pair.facts(s.side), {s.request, i}), word,
                   s.hue());
    if (s.focus.pointed.token == TokenAt{s.focus.request, i})
        ring(p, box, {.color = s.ui.colors.text, .radius = 2});
    if (s.focus.token == i) brackets(p, box.inset(s.ui.px(3)), s.ui.colors.focus);
}

// One outline around the marked tokens of each row.
void paint_marked(const SidePicture& s, const Painter& p) {
    const auto& marked = s.focus.marked;
    const auto n = static_cast<std::uint32_t>(s.tokens.size());
    if (!marked || marked->request != s.now.name || n == 0) return;
    const MarkedKept count = count_marked(s.run().lane(), s.request, *marked);
    const Color color = count.kept > 0 ? s.ui.colors.text : s.ui.colors.loss.ink;
    for (std::uint32_t i = marked->first; i <= std::min(marked->last, n - 1);) {
        const std::uint32_t end =
            std::min({marked->last + 1, n, (i / kPairColumns + 1) * kPairColumns});
        if (s.plan.shows_token(i)) {
            const Rect from = s.on_screen(s.plan.chip(i)), to = s.on_screen(s.plan.chip(end - 1));
            outline(p, Rect{from.x, from.y, to.right() - from.x, from.h}.inset(-s.ui.px(2)), color,
                    3, 2);
        }
        i = end;
    }
}

void paint_tokens(const SidePicture& s) {
    const Painter p(s.ui);
    const auto n = static_cast<std::uint32_t>(s.tokens.size());
    const TextStyle index = aligned(type::tick_label(s.ui), Align::Right);
    const std::uint32_t shown = (s.plan.first_row + s.plan.n_rows) * kPairColumns;
    const auto in_words = [&](TextId text, std::uint64_t tokens) {
        if (tokens == 0) return Text();
        return fill(s.ui.text[text], {{"tokens", counted_tokens(tokens, s.ui.text)}});
    };
    if (s.plan.rows_left)
        paint_pair_rest(
            s,
            {*s.plan.rows_left,
             in_words("pair.rows_left"_t, std::uint64_t{s.plan.first_row} * kPairColumns)},
            {*s.plan.rows_after, in_words("pair.rows_after"_t, n - std::min(n, shown))});
    for (std::uint32_t row = s.plan.first_row; row < s.plan.first_row + s.plan.n_rows; ++row) {
        const std::uint32_t first = row * kPairColumns;
        const Rect at = s.on_screen(s.plan.chip(first));
        text_in(p, index, {s.origin.x, at.y, s.plan.gutter - s.ui.px(10), at.h},
                with_commas(first));
        for (std::uint32_t i = first; i < std::min(n, first + kPairColumns); ++i)
            paint_token(s, p, i);
    }
    paint_marked(s, p);
}

List<SentencePiece> note_words(const SidePicture& s) {
    const Texts& text = s.ui.text;
    const bool is_left = s.side == CompareSide::Left;
    const auto& ours = is_left ? s.parting->left : s.parting->right;
    const auto& theirs = is_left ? s.parting->right : s.parting->left;
    const auto spoken = [&](const std::optional<std::uint32_t>& token, CompareSide side) {
        return token ? spoken_word(s.pair.of(side), *token) : Text();
    };
    const Text own = spoken(ours, s.side),
               word = spoken(theirs, is_left ? CompareSide::Right : CompareSide::Left);
    const auto& full = s.parting->full;
    const TextId says = !ours          ? "pair.has_ended"_t
                        : !theirs      ? "pair.other_ended"_t
                        : full == ours ? "pair.as_full"_t
                        : full         ? "pair.not_as_full"_t
                        : is_left      ? "pair.says_right"_t
                                       : "pair.says_left"_t;
    const Text full_word = full ? spoken_word(s.run(), *full) : Text();
    return pieces(text[says], {{"own", own}, {"word", word}, {"full", full_word}});
}

// "91  cellar here, right says tower", in the colour of the pill.
void paint_note(const SidePicture& s) {
    if (!s.plan.note || s.parting == nullptr) return;
    const Ui& ui = s.ui;
    const List<SentencePiece> said = note_words(s);
    const Text index = with_commas(s.parting->index);
    const Color ink = says_as_full(s) ? ui.colors.text : ui.colors.loss.ink;
    const TextStyle plain = colored(type::body(ui), ink), value = colored(type::strong(ui), ink);
    List<Run> runs{{colored(with_font(type::tick_label(ui), ui.fonts.mono_bold), ink), index}};
    for (const SentencePiece& piece : said)
        runs.push_back({piece.is_value ? value : plain, piece.text});
    if (runs.size() > 1) runs[1].gap = 10;
    Rect line = s.on_screen(*s.plan.note);
    const float w = text_width(ui, runs[0].style, index);
    line.x += std::max(0.0f, s.plan.gutter - ui.px(10) - w);
    runs_in(Painter(ui), runs, line);
}

// Where the note ends: what leads to the log, for the mouse and for the keyboard.
void draw_event_link(const SidePicture& s) {
    if (!s.plan.note || s.parting == nullptr || s.side != CompareSide::Left) return;
    const Ui& ui = s.ui;
    const Rect line = s.on_screen(*s.plan.note);
    const TextStyle style = colored(type::caption(ui), ui.colors.text2);
    const char* label = ui.text["pair.event"_t];
    const float w = std::ceil(text_width(ui, style, label));
    if (w > line.w / 2) return;
    ImGui::SetCursorScreenPos({std::floor(line.right() - w), line.y});
    const Hit hit = hit_item("event", {w, line.h});
    const Painter p(ui);
    text_in(p, hit.hovered ? colored(style, ui.colors.text) : style, hit.rect, label);
    hline(p, hit.rect.x, hit.rect.right(), std::round(line.center().y + ui.px(8)),
          hit.hovered ? ui.colors.text : ui.colors.edge);
    if (hit.focused) focus_ring(p, hit.rect);
    if (hit.pressed) ui.out.push("run.difference_event");
}

// ---- Pointing and selecting.

// Both sides move together; the arrows do what the wheel does.
void turn_rows(const SidePicture& s, const Hit& hit) {
    if (s.pair.scroll == nullptr) return;
    const auto turn = [&](bool tokens, std::int64_t by) {
        (tokens ? s.pair.scroll->rows : s.pair.scroll->lines) += by;
    };
    const float wheel = hit.hovered ? ImGui::GetIO().MouseWheel : 0;
    const bool on_tokens = ImGui::GetMousePos().y < s.on_screen(s.plan.stored_head).y;
    if (wheel != 0 && (on_tokens ? s.plan.rows_left : s.plan.blocks_left))
        turn(on_tokens, wheel > 0 ? -1 : 1);
    if (!hit.focused) return;
    if (const Arrows arrows = keep_arrows("tokens"))
        turn(arrows.down != 0, arrows.down != 0 ? arrows.down : arrows.right);
}

void offer_tip(const SidePicture& s, std::uint32_t token) {
    if (!ImGui::BeginTooltip()) return;
    ImGui::Text("%s  %s", with_commas(token).c_str(),
                spoken_word(s.run(), s.tokens[token]).c_str());
    ImGui::EndTooltip();
}

void take_input(const SidePicture& s) {
    ImGui::SetCursorScreenPos({s.origin.x, s.origin.y + s.plan.title.h});
    const float h = s.plan.prediction_head.y - s.plan.title.h;
    const Hit hit = hit_item("tokens", {s.plan.title.w, h});
    if (hit.focused) focus_ring(Painter(s.ui), hit.rect, 2);
    turn_rows(s, hit);
    if (!hit.hovered) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const Vec2 at{mouse.x - s.origin.x, mouse.y - s.origin.y};
    const auto n = static_cast<std::uint32_t>(s.tokens.size());
    if (const auto token = s.plan.token_at(at, n)) {
        s.focus.next_pointed.token = TokenAt{s.focus.request, *token};
        offer_tip(s, *token);
        if (hit.pressed && *token < s.now.tokens.size())
            s.ui.out.push("select.token", std::uint64_t{*token});
        return;
    }
    const auto place =
        s.plan.block_at(at, s.run().now.block_size, static_cast<std::uint32_t>(s.entries.size()));
    if (!place || s.side != CompareSide::Left) return;
    const BlockId block = *(*s.table())[s.entries[*place]];
    s.focus.next_pointed.block = block;
    if (hit.pressed) s.ui.out.push("select.block", std::uint64_t{block.value});
}

PairSideNeeds needs_of(const Ui& ui, const RunView& run, const RequestView& now,
                       std::size_t n_blocks, std::uint32_t n_tokens, bool has_note,
                       const PairScroll& scroll) {
    const auto known = static_cast<std::uint32_t>(now.tokens.size());
    return {.unit = ui.unit,
            .n_tokens = n_tokens,
            .anchor = known == 0 ? 0 : known - 1,
            .block_size = std::max(1u, run.now.block_size),
            .n_blocks = static_cast<std::uint32_t>(n_blocks),
            .has_note = has_note,
            .row_scroll = scroll.rows,
            .line_scroll = scroll.lines};
}

// Whatever moves the cursor or the focus brings back what belongs to them.
void follow_cursor(PairScroll& scroll, const RunView& left, SeqId request) {
    const bool known = request.index() < left.now.requests.size();
    const auto anchor =
        known ? static_cast<std::uint32_t>(left.now.requests[request.index()].tokens.size()) : 0;
    if (scroll.run == left.id && scroll.request == request && scroll.anchor == anchor) return;
    scroll = {.run = left.id, .anchor = anchor, .request = request};
}

}  // namespace

void draw_pair_side(const Ui& ui, const PairView& pair, CompareSide side, RunFocus& focus) {
    const RunView& run = pair.of(side);
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    PairScroll still;
    PairScroll& scroll = pair.scroll != nullptr ? *pair.scroll : still;
    follow_cursor(scroll, pair.left, focus.request);
    const Text name = name_of_request(pair.left.now, focus.request);
    const auto request = request_named(run.now, name);
    if (!request) {
        paint_title(ui, run, side, {cursor.x, cursor.y, room.x, ui.px(30)});
        text_in(Painter(ui), type::body(ui), {cursor.x, cursor.y + ui.px(40), room.x, ui.px(24)},
                fill(ui.text["pair.no_request"_t], {{"name", name}}));
        return;
    }
    const RequestView& now = run.now.requests[request->index()];
    const RequestView* end = request_called(run.trace.end(), name);
    const auto& tokens = end == nullptr ? now.tokens : end->tokens;
    const TokenParting* parting = pair.own.pair.parting_of(name);
    const auto n = static_cast<std::uint32_t>(tokens.size());
    const List<std::uint32_t> entries = entries_held(run.lane().table(*request));
    SidePicture s{ui,
                  pair,
                  side,
                  focus,
                  *request,
                  now,
                  tokens,
                  parting,
                  entries,
                  plan_pair_side({room.x, room.y}, needs_of(ui, run, now, entries.size(), n,
                                                            parting != nullptr, scroll)),
                  {cursor.x, cursor.y}};
    Rect title = s.on_screen(s.plan.title);
    const MarkedBadge badge = draw_marked_badge(ui, run, focus, *request, title);
    title.w -= badge.width;
    paint_title(ui, run, side, title);
    // The side with more to see says how far it goes, so that turning back has an effect at once.
    if (s.plan.rows_left) scroll.rows = s.plan.row_scroll;
    if (s.plan.blocks_left) scroll.lines = s.plan.line_scroll;
    if (badge.pressed) turn_to_marked(s, *focus.marked, scroll);
    draw_event_link(s);  // before the item of all rows, which would take the mouse from it
    take_input(s);
    paint_tokens(s);
    paint_note(s);
    paint_pair_stored(s);
    draw_pair_predictions(s);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({room.x, std::max(1.0f, std::min(room.y, s.plan.height))});
}

}  // namespace kv
