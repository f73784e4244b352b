// The lower half of one side of a comparison: the blocks that hold its tokens, and what the model
// thought of the token it drew last.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_runs/side_paint.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/stage/paint.hpp"
#include "app/widgets/chart/bars.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

// ---- What is stored.

// Dropped slots of the blocks that are still held.
std::uint64_t holes_of(const SidePicture& s) {
    std::uint64_t holes = 0;
    const std::uint32_t size = s.run().now.block_size;
    for (const std::uint32_t entry : s.entries)
        for (std::uint32_t slot = 0; slot < size; ++slot)
            holes += is_dropped_slot(s.run().lane(), s.request, entry, slot);
    return holes;
}

// What all tables of a request hold together.
struct StoredBytes {
    std::uint64_t live = 0, allocated = 0;
};
StoredBytes stored_bytes(const SidePicture& s) {
    StoredBytes sum;
    const std::uint64_t slot = slot_bytes(s.run());
    for (std::size_t lane = 0; lane < s.now.tables.size(); ++lane) {
        const SlotMap& slots = s.now.slots[lane];
        sum.live += slot * (slots.slots(s.now.stored) - slots.n_dropped());
        s.now.tables[lane].each([&](std::size_t, const TableEntry& block) {
            if (block) sum.allocated += slot * s.run().now.block_size;
        });
    }
    return sum;
}

// One table: empty slots and holes are told apart. Several: what all of them cost, in bytes.
void add_waste(const SidePicture& s, std::uint64_t allocated, List<Run>& runs, List<Text>& words) {
    const Ui& ui = s.ui;
    const TextStyle loss = colored(type::number_small(ui), ui.colors.loss.ink);
    const auto add = [&](TextId text, std::uint64_t n, std::uint64_t bytes) {
        if (bytes == 0) return;
        words.push_back(
            fill(ui.text[text], {{"n", with_commas(n)}, {"bytes", bytes_binary(bytes)}}));
        runs.push_back({loss, words.back(), 16});
    };
    const StoredBytes all = stored_bytes(s);
    if (s.now.tables.size() > 1) return add("pair.not_live"_t, 0, all.allocated - all.live);
    const std::uint64_t slot = slot_bytes(s.run()), holes = holes_of(s);
    add("pair.holes"_t, holes, holes * slot);
    add("pair.empty"_t, (allocated - all.live) / slot - holes, allocated - all.live - holes * slot);
}

void paint_stored_head(const SidePicture& s, std::uint32_t n_blocks) {
    const Ui& ui = s.ui;
    const StoredBytes all = stored_bytes(s);
    const Text held = fill(ui.text["pair.stored.tokens"_t],
                           {{"tokens", counted_tokens(held_in(s.run().lane(), s.request), ui.text)},
                            {"blocks", counted_blocks(n_blocks, ui.text)}});
    const Text live = fill(ui.text["pair.live"_t], {{"bytes", bytes_binary(all.live)}});
    const Text allocated =
        fill(ui.text["pair.allocated"_t], {{"bytes", bytes_binary(all.allocated)}});
    const Text tables = fill(ui.text["pair.tables"_t], {{"n", with_commas(s.now.tables.size())}});
    const TextStyle mono = type::number_small(ui);
    List<Run> runs{{type::section(ui), ui.text["pair.stored"_t]},
                   {colored(mono, ui.colors.text), held, 10}};
    if (s.now.tables.size() > 1) runs.push_back({type::caption(ui), tables, 16});
    runs.push_back({mono, live, s.now.tables.size() > 1 ? 6.0f : 16.0f});
    runs.push_back({mono, allocated, 16});
    List<Text> words;
    words.reserve(2);
    add_waste(s, all.allocated, runs, words);
    const Rect line = s.on_screen(s.plan.stored_head);
    while (runs.size() > 1 && runs_width(ui, runs) > line.w) runs.pop_back();
    runs_in(Painter(ui), runs, line);
}

void paint_block_id(const SidePicture& s, const Painter& p, std::uint32_t place, BlockId block) {
    const Rect box = s.on_screen(s.plan.block_id(place));
    const bool shared = s.run().lane().blocks()[block.index()].ref_count > 1;
    const Hue hue = s.hue();
    fill(p, box, shared ? s.ui.colors.pressed_wash() : s.ui.colors.wash_of(hue), 3);
    outline(p, box, shared ? s.ui.colors.shared : hue.ink, 3);
    if (shared) outline(p, box.inset(s.ui.px(2)), s.ui.colors.shared, 2);
    const TextStyle style{s.ui.fonts.mono_bold, 12, s.ui.colors.text, Align::Center};
    text_that_fits(p, style, box, with_commas(block.value));
    if (s.focus.pointed.block == block && s.side == CompareSide::Left) hover_ring(p, box);
}

void paint_slot(const SidePicture& s, const Painter& p, const Rect& box, std::uint32_t entry,
                std::uint32_t slot) {
    const std::uint32_t position = position_in(s.run().lane(), s.request, entry, slot);
    const bool held = position < s.now.stored;
    const Hue hue = s.hue();
    if (!held) return outline(p, box, s.ui.colors.line, 2);
    if (is_dropped_slot(s.run().lane(), s.request, entry, slot)) {
        fill(p, box, s.ui.colors.inset, 2);
        outline(p, box, s.ui.colors.line, 2);
        return cross_mark(p, box.center(), std::min(8.0f, box.h / s.ui.unit), s.ui.colors.loss.ink);
    }
    const bool newest = position + 1 == s.now.stored;
    fill(p, box, newest ? hue.fill : mix(s.ui.colors.panel, hue.fill, 0.42), 2);
    if (const auto edge = needed_outline(s.ui.colors, hue.fill)) outline(p, box, *edge, 2);
    if (s.focus.pointed.token == TokenAt{s.focus.request, position})
        ring(p, box, {.color = s.ui.colors.text, .radius = 2});
    const TextStyle style{newest ? s.ui.fonts.mono_bold : s.ui.fonts.mono, 11,
                          newest ? s.ui.colors.on_fill : s.ui.colors.text, Align::Center};
    const Text text = with_commas(position);
    if (text_width(s.ui, style, text) <= box.w) text_in(p, style, box, text);
}

void paint_thin_block(const SidePicture& s, const Painter& p, std::uint32_t place,
                      std::uint32_t block_size) {
    const std::uint32_t entry = s.entries[place];
    const Rect first = s.on_screen(s.plan.slot(place, 0));
    const float w = std::floor(s.plan.cell_pitch * static_cast<float>(block_size));
    std::uint32_t filled = 0;
    for (std::uint32_t slot = 0; slot < block_size; ++slot)
        filled += position_in(s.run().lane(), s.request, entry, slot) < s.now.stored &&
                  !is_dropped_slot(s.run().lane(), s.request, entry, slot);
    const float live = w * static_cast<float>(filled) / static_cast<float>(block_size);
    fill(p, {first.x, first.y, std::floor(live), first.h},
         mix(s.ui.colors.panel, s.hue().fill, 0.42));
    outline(p, {first.x, first.y, w, first.h}, s.hue().ink);
}

}  // namespace

void paint_pair_rest(const SidePicture& s, const PairRest& before, const PairRest& after) {
    const Painter p(s.ui);
    const auto say = [&](const PairRest& rest, Align align) {
        if (!rest.words.empty())
            text_in(p, aligned(type::caption(s.ui), align), s.on_screen(rest.at), rest.words);
    };
    say(before, Align::Left), say(after, Align::Right);
}

void paint_pair_stored(const SidePicture& s) {
    const Table* table = s.table();
    const auto n = static_cast<std::uint32_t>(s.entries.size());
    const std::uint32_t size = s.run().now.block_size;
    const Painter p(s.ui);
    if (n == 0)
        return static_cast<void>(
            text_in(p, type::body(s.ui), s.on_screen(s.plan.stored_head),
                    fill(s.ui.text["pair.stored.none"_t], {{"name", s.now.name}})));
    paint_stored_head(s, n);
    const std::uint32_t shown = (s.plan.first_line + s.plan.n_lines) * s.plan.per_line;
    const auto in_words = [&](TextId text, std::uint64_t blocks) {
        if (blocks == 0) return Text();
        return fill(s.ui.text[text], {{"blocks", counted_blocks(blocks, s.ui.text)}});
    };
    if (s.plan.blocks_left)
        paint_pair_rest(
            s,
            {*s.plan.blocks_left,
             in_words("pair.blocks_left"_t, std::uint64_t{s.plan.first_line} * s.plan.per_line)},
            {*s.plan.blocks_after, in_words("pair.blocks_after"_t, n - std::min(n, shown))});
    const std::uint32_t last = std::min(n, (s.plan.first_line + s.plan.n_lines) * s.plan.per_line);
    for (std::uint32_t place = s.plan.first_line * s.plan.per_line; place < last; ++place) {
        const std::uint32_t entry = s.entries[place];
        paint_block_id(s, p, place, *(*table)[entry]);
        if (s.plan.cell_pitch < 4)
            paint_thin_block(s, p, place, size);
        else
            for (std::uint32_t i = 0; i < size; ++i)
                paint_slot(s, p, s.on_screen(s.plan.slot(place, i)), entry, i);
    }
}

namespace {

// ---- What was predicted.

struct Guess {
    std::uint32_t token;
    double ours;
    std::optional<double> theirs;
};

// The most probable tokens of this side, the last of them making room for the first of what it is
// held against.
List<Guess> guesses(const JudgedRow& row, const std::vector<float>* against, std::size_t n) {
    const List<double> ours = probabilities_of(row.logits);
    List<double> theirs;
    if (against != nullptr && against->size() == row.logits.size())
        theirs = probabilities_of(*against);
    List<std::uint32_t> order(ours.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    n = std::min(n, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), order.end(),
                      [&](std::uint32_t a, std::uint32_t b) {
                          return ours[a] != ours[b] ? ours[a] > ours[b] : a < b;
                      });
    order.resize(n);
    if (!theirs.empty() && n > 0) {
        const std::uint32_t first = most_probable(*against);
        if (std::find(order.begin(), order.end(), first) == order.end()) order.back() = first;
    }
    List<Guess> out;
    for (const std::uint32_t token : order)
        out.push_back(
            {token, ours[token], theirs.empty() ? std::nullopt : std::optional(theirs[token])});
    return out;
}

}  // namespace

void draw_pair_predictions(const SidePicture& s) {
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
    const std::vector<float>* full = full_after(s.pair.left, s.focus.request, row->seen);
    const std::vector<float>* against = full != nullptr    ? full
                                        : other != nullptr ? &other->logits
                                                           : nullptr;
    const TextId key = full != nullptr    ? "pair.prediction.key.full"_t
                       : other != nullptr ? "pair.prediction.key"_t
                                          : "pair.prediction.alone"_t;
    const Text title = fill(ui.text["pair.prediction"_t], {{"n", with_commas(row->seen.size())}});
    const std::array runs{Run{type::section(ui), title}, Run{type::caption(ui), ui.text[key], 10}};
    runs_in(Painter(ui), runs, head);

    const List<Guess> found = guesses(*row, against, s.plan.n_bars);
    const bool parts_here =
        s.parting != nullptr && s.parting->index == row->seen.size() && !says_as_full(s);
    const std::uint32_t* drawn =
        row->seen.size() < s.tokens.size() ? &s.tokens[row->seen.size()] : nullptr;
    List<Text> values, words;
    for (const Guess& guess : found) {
        values.push_back(fixed(guess.ours, 3));
        words.push_back(spoken_word(s.run(), guess.token));
    }
    List<Bar> bars;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool is_drawn = drawn != nullptr && found[i].token == *drawn;
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

}  // namespace kv
