// What one side of a comparison stores: its blocks with their holes, or one line where they have no
// room.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_runs/side/paint.hpp"
#include "app/panels/compare_runs/words.hpp"
#include "app/panels/stage/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

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
    const std::uint64_t slot = measure_of_slot(s.run());
    for (std::size_t lane = 0; lane < s.now.tables.size(); ++lane) {
        const SlotMap& slots = s.now.slots[lane];
        sum.live += slot * (slots.slots_taken(s.now.stored) - slots.n_dropped());
        s.now.tables[lane].each([&](std::size_t, const TableEntry& block) {
            if (block) sum.allocated += slot * s.run().now.block_size;
        });
    }
    return sum;
}

// One table: empty slots and holes are told apart. Several: what all of them cost, in bytes.
void add_waste(const SidePicture& s, bool with_bytes, List<Run>& runs, List<Text>& words) {
    const Ui& ui = s.ui;
    const TextStyle loss = colored(type::number_small(ui), ui.colors.loss.ink);
    const auto add = [&](TextId text, std::uint64_t n, std::uint64_t bytes) {
        if (bytes == 0) return;
        words.push_back(
            fill(ui.text[text],
                 {{"n", with_commas(n)}, {"bytes", measured(bytes, s.run().layout, s.ui.text)}}));
        runs.push_back({loss, words.back(), with_bytes ? 16.0f : 12.0f});
    };
    const StoredBytes all = stored_bytes(s);
    const std::uint64_t waste = all.allocated - all.live;
    if (s.now.tables.size() > 1) return add("pair.not_live"_t, 0, waste);
    const std::uint64_t slot = measure_of_slot(s.run()), holes = holes_of(s);
    add(with_bytes ? "pair.holes"_t : "pair.holes.count"_t, holes, holes * slot);
    add(with_bytes ? "pair.empty"_t : "pair.empty.count"_t, waste / slot - holes,
        waste - holes * slot);
}

void paint_stored_head(const SidePicture& s, std::uint32_t n_blocks) {
    const Ui& ui = s.ui;
    const StoredBytes all = stored_bytes(s);
    const Text held = fill(ui.text["pair.stored.tokens"_t],
                           {{"tokens", counted_tokens(held_in(s.run().lane(), s.request), ui.text)},
                            {"blocks", counted_blocks(n_blocks, ui.text)}});
    const Text live =
        fill(ui.text["pair.live"_t], {{"bytes", measured(all.live, s.run().layout, s.ui.text)}});
    const Text allocated = fill(ui.text["pair.allocated"_t],
                                {{"bytes", measured(all.allocated, s.run().layout, s.ui.text)}});
    const Text tables = fill(ui.text["pair.tables"_t], {{"n", with_commas(s.now.tables.size())}});
    const TextStyle mono = type::number_small(ui);
    const bool several = s.now.tables.size() > 1;
    const Rect line = s.on_screen(s.parts().stored_head);
    List<Text> words;
    words.reserve(4);
    List<Run> runs;
    for (const bool with_bytes : {true, false}) {
        const float gap = with_bytes ? 16 : 12;
        runs = {{type::section(ui), ui.text["pair.stored"_t]},
                {colored(mono, ui.colors.text), held, 10}};
        if (several) runs.push_back({type::caption(ui), tables, gap});
        runs.push_back({with_font(colored(mono, ui.colors.text), ui.fonts.mono_bold), live,
                        several ? 6.0f : gap});
        runs.push_back({mono, allocated, gap});
        add_waste(s, with_bytes, runs, words);
        if (runs_width(ui, runs) <= line.w) break;
    }
    while (runs.size() > 1 && runs_width(ui, runs) > line.w) runs.pop_back();
    runs_in(Painter(ui), runs, line);
}

void paint_block_id(const SidePicture& s, const Painter& p, std::uint32_t place, BlockId block) {
    const Rect box = s.on_screen(s.rows->block_id(place));
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
    const Rect first = s.on_screen(s.rows->slot(place, 0));
    const float w = std::floor(s.rows->cell_pitch * static_cast<float>(block_size));
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

void paint_pair_stored(const SidePicture& s) {
    const Table* table = s.table();
    const auto n = static_cast<std::uint32_t>(s.entries.size());
    const std::uint32_t size = s.run().now.block_size;
    const Painter p(s.ui);
    if (n == 0)
        return static_cast<void>(
            text_in(p, type::body(s.ui), s.on_screen(s.parts().stored_head),
                    fill(s.ui.text["pair.stored.none"_t], {{"name", s.now.name}})));
    paint_stored_head(s, n);
    if (!s.rows) return;
    for (std::uint32_t place = 0; place < n; ++place) {
        const std::uint32_t entry = s.entries[place];
        paint_block_id(s, p, place, *(*table)[entry]);
        if (s.rows->cell_pitch < 4)
            paint_thin_block(s, p, place, size);
        else
            for (std::uint32_t i = 0; i < size; ++i)
                paint_slot(s, p, s.on_screen(s.rows->slot(place, i)), entry, i);
    }
}

}  // namespace kv
