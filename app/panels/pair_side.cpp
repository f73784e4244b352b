// One side of a comparison of two runs: its tokens with the place where the sides part, the blocks
// that hold them, and what the model thought of the token it drew last.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/pair.hpp"
#include "app/panels/pair_side_plan.hpp"
#include "app/panels/pair_words.hpp"
#include "app/panels/run_facts.hpp"
#include "app/panels/stage_paint.hpp"
#include "app/widgets/bars.hpp"
#include "core/base/text.hpp"
#include "core/base/units.hpp"

namespace kv {
namespace {

struct SidePicture {
    const Ui& ui;
    const PairView& pair;
    CompareSide side;
    RunFocus& focus;
    SeqId request;                             // in this run
    const RequestView& now;                    // at the cursor
    const SharedArray<std::uint32_t>& tokens;  // recorded, those after the cursor too
    const TokenParting* parting;
    PairSidePlan plan;
    Vec2 origin;

    const RunView& run() const { return pair.of(side); }
    Rect on_screen(const Rect& r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    Hue hue() const { return request_hue(ui.colors, tag_index(now.name, request)); }
    const Table* table() const { return table_of(run().now, request); }
};

// ---- Title and tokens.

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
    const std::string per_token =
        fill(ui.text["pair.per_token"_t], {{"bytes", bytes_binary(bytes_per_token(run.layout))}});
    const TextStyle mono = type::number_small(ui);
    const float right = text_width(ui, mono, per_token);
    const bool both = line.right() - x > right + ui.px(120);
    if (both) text_in(p, aligned(mono, Align::Right), line, per_token);
    const float end = line.right() - (both ? right + ui.px(12) : 0);
    if (end - x > ui.px(40)) text_in(p, type::body(ui), {x, r.y, end - x, r.h}, words.caption);
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
    const std::string word = bare_word(s.run(), s.tokens[i]);
    const bool is_there = i < s.now.tokens.size();
    if (s.parting != nullptr && s.parting->index == i)
        paint_parting(s, p, box, word, is_there);
    else if (!is_there)
        paint_future(s, p, box, word);
    else
        paint_chip(p, box, chip_of(s.run().now, s.pair.facts(s.side), {s.request, i}), word,
                   s.hue());
    if (s.focus.pointed.token == TokenAt{s.focus.request, i})
        ring(p, box, s.ui.colors.text, 2, 1, 0);
    if (s.focus.token == i) brackets(p, box.inset(s.ui.px(3)), s.ui.colors.focus);
}

void paint_tokens(const SidePicture& s) {
    const Painter p(s.ui);
    const auto n = static_cast<std::uint32_t>(s.tokens.size());
    const TextStyle index = aligned(type::tick_label(s.ui), Align::Right);
    if (s.plan.rows_left)
        text_in(p, type::caption(s.ui), s.on_screen(*s.plan.rows_left),
                fill(s.ui.text["pair.rows_left"_t],
                     {{"n", with_commas(std::uint64_t{s.plan.first_row} * kPairColumns)}}));
    for (std::uint32_t row = s.plan.first_row; row < s.plan.first_row + s.plan.n_rows; ++row) {
        const std::uint32_t first = row * kPairColumns;
        const Rect at = s.on_screen(s.plan.chip(first));
        text_in(p, index, {s.origin.x, at.y, s.plan.gutter - s.ui.px(10), at.h},
                with_commas(first));
        for (std::uint32_t i = first; i < std::min(n, first + kPairColumns); ++i)
            paint_token(s, p, i);
    }
}

// "91  right says tower", in the colour of the pill.
void paint_note(const SidePicture& s) {
    if (!s.plan.note || s.parting == nullptr) return;
    const Ui& ui = s.ui;
    const bool is_left = s.side == CompareSide::Left;
    const auto& theirs = is_left ? s.parting->right : s.parting->left;
    const std::string word =
        theirs ? bare_word(s.pair.of(is_left ? CompareSide::Right : CompareSide::Left), *theirs)
               : std::string();
    const auto said = theirs ? pieces(ui.text[is_left ? "pair.says_right"_t : "pair.says_left"_t],
                                      {{"word", word}})
                             : pieces(ui.text["pair.other_ended"_t], {});
    const std::string index = with_commas(s.parting->index);
    const TextStyle plain = colored(type::body(ui), ui.colors.loss.ink),
                    value = colored(type::strong(ui), ui.colors.loss.ink);
    std::vector<Run> runs{
        {colored(with_font(type::tick_label(ui), ui.fonts.mono_bold), ui.colors.loss.ink), index}};
    for (const SentencePiece& piece : said)
        runs.push_back({piece.is_value ? value : plain, piece.text});
    if (runs.size() > 1) runs[1].gap = 10;
    Rect line = s.on_screen(*s.plan.note);
    const float w = text_width(ui, runs[0].style, index);
    line.x += std::max(0.0f, s.plan.gutter - ui.px(10) - w);
    runs_in(Painter(ui), runs, line);
}

// ---- What is stored.

std::uint32_t blocks_held(const Table* table) {
    return table == nullptr ? 0 : static_cast<std::uint32_t>(table->size());
}

void paint_stored_head(const SidePicture& s, std::uint32_t n_blocks) {
    const Ui& ui = s.ui;
    const std::uint64_t per_token = bytes_per_token(s.run().layout);
    const std::uint64_t slots = std::uint64_t{n_blocks} * s.run().now.block_size;
    const std::uint64_t empty = slots - std::min<std::uint64_t>(slots, s.now.stored);
    const std::string held =
        fill(ui.text["pair.stored.tokens"_t], {{"tokens", counted_tokens(s.now.stored, ui.text)},
                                               {"blocks", counted_blocks(n_blocks, ui.text)}});
    const std::string live =
        fill(ui.text["pair.live"_t], {{"bytes", bytes_binary(s.now.stored * per_token)}});
    const std::string allocated =
        fill(ui.text["pair.allocated"_t], {{"bytes", bytes_binary(slots * per_token)}});
    const std::string waste =
        fill(ui.text["pair.empty"_t],
             {{"n", with_commas(empty)}, {"bytes", bytes_binary(empty * per_token)}});
    const TextStyle mono = type::number_small(ui);
    std::vector<Run> runs{{type::section(ui), ui.text["pair.stored"_t]},
                          {colored(mono, ui.colors.text), held, 10},
                          {mono, live, 16},
                          {mono, allocated, 16}};
    if (empty > 0) runs.push_back({colored(mono, ui.colors.loss.ink), waste, 16});
    const Rect line = s.on_screen(s.plan.stored_head);
    while (runs.size() > 1 && runs_width(ui, runs) > line.w) runs.pop_back();
    runs_in(Painter(ui), runs, line);
}

void paint_block_id(const SidePicture& s, const Painter& p, std::uint32_t entry, BlockId block) {
    const Rect box = s.on_screen(s.plan.block_id(entry));
    const bool shared = s.run().now.lanes[0].blocks[block.index()].ref_count > 1;
    const Hue hue = s.hue();
    fill(p, box, shared ? s.ui.colors.pressed_wash() : s.ui.colors.wash_of(hue), 3);
    outline(p, box, shared ? s.ui.colors.shared : hue.ink, 3);
    if (shared) outline(p, box.inset(s.ui.px(2)), s.ui.colors.shared, 2);
    const TextStyle style{s.ui.fonts.mono_bold, 12, s.ui.colors.text, Align::Center};
    text_that_fits(p, style, box, with_commas(block.value));
    if (s.focus.pointed.block == block && s.side == CompareSide::Left) hover_ring(p, box);
}

void paint_slot(const SidePicture& s, const Painter& p, const Rect& box, std::uint32_t position) {
    const bool held = position < s.now.stored;
    const Hue hue = s.hue();
    if (!held) return outline(p, box, s.ui.colors.line, 2);
    const bool newest = position + 1 == s.now.stored;
    fill(p, box, newest ? hue.fill : mix(s.ui.colors.panel, hue.fill, 0.42), 2);
    if (const auto edge = needed_outline(s.ui.colors, hue.fill)) outline(p, box, *edge, 2);
    if (s.focus.pointed.token == TokenAt{s.focus.request, position})
        ring(p, box, s.ui.colors.text, 2, 1, 0);
    const TextStyle style{newest ? s.ui.fonts.mono_bold : s.ui.fonts.mono, 11,
                          newest ? s.ui.colors.on_fill : s.ui.colors.text, Align::Center};
    const std::string text = with_commas(position);
    if (text_width(s.ui, style, text) <= box.w) text_in(p, style, box, text);
}

void paint_thin_block(const SidePicture& s, const Painter& p, std::uint32_t entry,
                      std::uint32_t block_size) {
    const Rect first = s.on_screen(s.plan.slot(entry, 0));
    const float w = std::floor(s.plan.cell_pitch * static_cast<float>(block_size));
    const std::uint32_t before = entry * block_size;
    const std::uint32_t filled =
        std::min(block_size, s.now.stored - std::min(s.now.stored, before));
    const float live = w * static_cast<float>(filled) / static_cast<float>(block_size);
    fill(p, {first.x, first.y, std::floor(live), first.h},
         mix(s.ui.colors.panel, s.hue().fill, 0.42));
    outline(p, {first.x, first.y, w, first.h}, s.hue().ink);
}

void paint_stored(const SidePicture& s) {
    const Table* table = s.table();
    const std::uint32_t n = blocks_held(table), size = s.run().now.block_size;
    const Painter p(s.ui);
    if (n == 0)
        return static_cast<void>(
            text_in(p, type::body(s.ui), s.on_screen(s.plan.stored_head),
                    fill(s.ui.text["pair.stored.none"_t], {{"name", s.now.name}})));
    paint_stored_head(s, n);
    if (s.plan.blocks_left)
        text_in(p, type::caption(s.ui), s.on_screen(*s.plan.blocks_left),
                fill(s.ui.text["pair.blocks_left"_t],
                     {{"n", with_commas(std::uint64_t{s.plan.first_line} * s.plan.per_line)}}));
    const std::uint32_t last = std::min(n, (s.plan.first_line + s.plan.n_lines) * s.plan.per_line);
    for (std::uint32_t entry = s.plan.first_line * s.plan.per_line; entry < last; ++entry) {
        if (!(*table)[entry]) continue;  // given up, or in the host tier
        paint_block_id(s, p, entry, *(*table)[entry]);
        if (s.plan.cell_pitch < 4)
            paint_thin_block(s, p, entry, size);
        else
            for (std::uint32_t i = 0; i < size; ++i)
                paint_slot(s, p, s.on_screen(s.plan.slot(entry, i)), entry * size + i);
    }
}

// ---- What was predicted.

struct Guess {
    std::uint32_t token;
    double ours;
    std::optional<double> theirs;
};

// The most probable tokens of this side, the last of them making room for the other side's first.
std::vector<Guess> guesses(const JudgedRow& row, const JudgedRow* other, std::size_t n) {
    const std::vector<double> ours = probabilities_of(row.logits);
    std::vector<double> theirs;
    if (other != nullptr && other->logits.size() == row.logits.size())
        theirs = probabilities_of(other->logits);
    std::vector<std::uint32_t> order(ours.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    n = std::min(n, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), order.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          return ours[a] != ours[b] ? ours[a] > ours[b] : a < b;
                      });
    order.resize(n);
    if (!theirs.empty() && n > 0) {
        const std::uint32_t first = most_probable(other->logits);
        if (std::find(order.begin(), order.end(), first) == order.end()) order.back() = first;
    }
    std::vector<Guess> out;
    for (const std::uint32_t token : order)
        out.push_back(
            {token, ours[token], theirs.empty() ? std::nullopt : std::optional(theirs[token])});
    return out;
}

void draw_predictions(const SidePicture& s) {
    const Ui& ui = s.ui;
    const Rect head = s.on_screen(s.plan.prediction_head), room = s.on_screen(s.plan.prediction);
    const JudgedRow* row = row_at_cursor(s.run(), s.request);
    if (row == nullptr)
        return static_cast<void>(
            text_in(Painter(ui), type::body(ui), head,
                    fill(ui.text["pair.prediction.none"_t], {{"name", s.now.name}})));
    const bool is_left = s.side == CompareSide::Left;
    const JudgedRow* other =
        row_like(s.pair.of(is_left ? CompareSide::Right : CompareSide::Left), s.now.name, *row);
    const std::string title =
        fill(ui.text["pair.prediction"_t], {{"n", with_commas(row->seen.size())}});
    const std::array runs{
        Run{type::section(ui), title},
        Run{type::caption(ui),
            ui.text[other != nullptr ? "pair.prediction.key"_t : "pair.prediction.alone"_t], 10}};
    runs_in(Painter(ui), runs, head);

    const std::vector<Guess> found = guesses(*row, other, s.plan.n_bars);
    const bool parts_here = s.parting != nullptr && s.parting->index == row->seen.size();
    const auto drawn = row->seen.size() < s.tokens.size()
                           ? std::optional(s.tokens[row->seen.size()])
                           : std::nullopt;
    std::vector<std::string> values, words;
    for (const Guess& guess : found) {
        values.push_back(fixed(guess.ours, 3));
        words.push_back(bare_word(s.run(), guess.token));
    }
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool is_drawn = found[i].token == drawn;
        bars.push_back({.label = words[i],
                        .value = values[i],
                        .amount = found[i].ours,
                        .emphasised = is_drawn,
                        .color = is_drawn && parts_here
                                     ? ui.colors.loss.fill
                                     : mix(ui.colors.panel, ui.colors.text, 0.65),
                        .tick = found[i].theirs});
    }
    ImGui::SetCursorScreenPos(im(room.min()));
    draw_bars(ui, "prediction", bars,
              {.full = 1,
               .pitch = s.plan.bar_pitch / ui.unit,
               .thickness = s.plan.bar_pitch / ui.unit * 0.55f,
               .label_width = s.plan.gutter + ui.px(30)});
}

// ---- Pointing and selecting.

void offer_tip(const SidePicture& s, std::uint32_t token) {
    if (!ImGui::BeginTooltip()) return;
    ImGui::Text("%s  %s", with_commas(token).c_str(), bare_word(s.run(), s.tokens[token]).c_str());
    ImGui::EndTooltip();
}

void take_input(const SidePicture& s) {
    ImGui::SetCursorScreenPos({s.origin.x, s.origin.y + s.plan.title.h});
    const float h = s.plan.prediction_head.y - s.plan.title.h;
    const Hit hit = hit_item("tokens", {s.plan.title.w, h});
    if (hit.focused) focus_ring(Painter(s.ui), hit.rect, 2);
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
    const Table* table = s.table();
    const auto entry = s.plan.block_at(at, s.run().now.block_size, blocks_held(table));
    if (!entry || !(*table)[*entry] || s.side != CompareSide::Left) return;
    s.focus.next_pointed.block = *(*table)[*entry];
    if (hit.pressed) s.ui.out.push("select.block", std::uint64_t{(*table)[*entry]->value});
}

PairSideNeeds needs_of(const Ui& ui, const RunView& run, const RequestView& now, SeqId request,
                       std::uint32_t n_tokens, bool has_note) {
    const auto known = static_cast<std::uint32_t>(now.tokens.size());
    return {.unit = ui.unit,
            .n_tokens = n_tokens,
            .anchor = known == 0 ? 0 : known - 1,
            .block_size = std::max(1u, run.now.block_size),
            .n_blocks = blocks_held(table_of(run.now, request)),
            .has_note = has_note};
}

}  // namespace

void draw_pair_side(const Ui& ui, const PairView& pair, CompareSide side, RunFocus& focus) {
    const RunView& run = pair.of(side);
    const ImVec2 cursor = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const std::string name = name_of_request(pair.left.now, focus.request);
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
    SidePicture s{
        ui,
        pair,
        side,
        focus,
        *request,
        now,
        tokens,
        parting,
        plan_pair_side({room.x, room.y}, needs_of(ui, run, now, *request, n, parting != nullptr)),
        {cursor.x, cursor.y}};
    paint_title(ui, run, side, s.on_screen(s.plan.title));
    take_input(s);
    paint_tokens(s);
    paint_note(s);
    paint_stored(s);
    draw_predictions(s);
    ImGui::SetCursorScreenPos(cursor);
    ImGui::Dummy({room.x, std::max(1.0f, std::min(room.y, s.plan.height))});
}

}  // namespace kv
