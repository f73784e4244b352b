// What drafts can be expected to bring: bars by k, and the map by batch and acceptance.

#include <algorithm>
#include <cmath>

#include "app/panels/drafts/paint.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kExpectedHead = 20, kExpectedRow = 18, kExpectedName = 36, kExpectedValue = 44,
                kExpectedCell = 20, kExpectedBatch = 44;

float paint_expected_bars(const DraftsPicture& s, const Painter& p, const Rect& room) {
    const Ui& ui = s.ui;
    const List<ExpectedTokens> all = expected_by_k(s.sums.acceptance(), s.k);
    double most = s.sums.per_read();
    for (const ExpectedTokens& each : all) most = std::max(most, each.tokens);
    text_in(p, type::section(ui), {room.x, room.y, room.w, ui.px(kExpectedHead)},
            ui.text["drafts.expected"_t]);
    text_in(p, type::number_small(ui),
            {room.x, room.y + ui.px(kExpectedHead), room.w, ui.px(kExpectedRow)},
            fill(ui.text["drafts.expected.how"_t], {{"a", fixed(s.sums.acceptance(), 3)}}));
    float y = room.y + ui.px(kExpectedHead + kExpectedRow + 4);
    const float left = room.x + ui.px(kExpectedName),
                width = room.w - ui.px(kExpectedName + kExpectedValue);
    const auto length = [&](double tokens) {
        return std::round(width * static_cast<float>(tokens / most));
    };
    for (const ExpectedTokens& each : all) {
        TextStyle number = type::number_small(ui);
        if (each.current) number = colored(with_font(number, ui.fonts.mono_bold), ui.colors.text);
        const float h = ui.px(kExpectedRow);
        text_in(p, number, {room.x, y, ui.px(kExpectedName), h},
                fill(ui.text["drafts.k"_t], {{"k", with_commas(each.k)}}));
        const Rect bar{left, y + ui.px(4), length(each.tokens), h - ui.px(8)};
        fill(p, bar, each.current ? ui.colors.text : ui.colors.edge);
        // A tick where the reads so far are.
        if (each.current)
            vline(p, left + length(s.sums.per_read()), y + ui.px(1), y + h - ui.px(1),
                  ui.colors.focus, 2);
        text_in(p, aligned(number, Align::Right),
                {room.right() - ui.px(kExpectedValue), y, ui.px(kExpectedValue), h},
                two_decimals(each.tokens));
        y += h;
    }
    text_in(p, type::caption(ui), {room.x, y, room.w, ui.px(kExpectedRow)},
            fill(ui.text["drafts.measured"_t],
                 {{"n", two_decimals(s.sums.per_read())}, {"reads", with_commas(s.sums.reads)}}));
    return y + ui.px(kExpectedRow + 8);
}

// Faster is lighter, with its number; slower has a cross as well.
void paint_draft_map_cell(const DraftsPicture& s, const Painter& p, const Rect& cell,
                          double speedup) {
    const Ui& ui = s.ui;
    const bool loses = speedup < 1;
    const double strength = std::clamp((speedup - 1) / 2, 0.0, 1.0);
    fill(p, cell,
         loses ? ui.colors.inset : mix(ui.colors.panel, ui.colors.text, 0.08 + 0.22 * strength));
    if (loses) {
        outline(p, cell, ui.colors.loss.ink);
        cross_mark(p, {cell.x + ui.px(8), cell.center().y}, 7, ui.colors.loss.ink);
    }
    text_in(p,
            aligned(colored(type::number_small(ui), loses ? ui.colors.loss.ink : ui.colors.text),
                    Align::Right),
            {cell.x, cell.y, cell.w - ui.px(6), cell.h}, two_decimals(speedup));
}

void paint_draft_map(const DraftsPicture& s, const Painter& p, const Rect& room,
                     const DraftMap& map) {
    const Ui& ui = s.ui;
    text_in(p, type::section(ui), {room.x, room.y, room.w, ui.px(kExpectedHead)},
            ui.text["drafts.map"_t]);
    const float top = room.y + ui.px(kExpectedHead);
    const auto n = static_cast<float>(map.acceptances.size());
    const float left = room.x + ui.px(kExpectedBatch), w = std::floor((room.right() - left) / n);
    const TextStyle tick = type::tick_label(ui);
    text_in(p, tick, {room.x, top, ui.px(kExpectedBatch), ui.px(kExpectedRow)},
            ui.text["drafts.map.batch"_t]);
    for (std::size_t c = 0; c < map.acceptances.size(); ++c)
        text_in(p, aligned(tick, Align::Right),
                {left + static_cast<float>(c) * w, top, w - ui.px(6), ui.px(kExpectedRow)},
                "a " + fixed(map.acceptances[c], 1));
    for (std::size_t r = 0; r < map.batches.size(); ++r) {
        const float y = top + ui.px(kExpectedRow) + static_cast<float>(r) * ui.px(kExpectedCell);
        text_in(p, tick, {room.x, y, ui.px(kExpectedBatch), ui.px(kExpectedCell)},
                with_commas(map.batches[r]));
        for (std::size_t c = 0; c < map.acceptances.size(); ++c)
            paint_draft_map_cell(s, p,
                                 {left + static_cast<float>(c) * w, y, w - ui.px(1),
                                  ui.px(kExpectedCell) - ui.px(1)},
                                 map.at(r, c));
    }
    const float below =
        top + ui.px(kExpectedRow) + static_cast<float>(map.batches.size()) * ui.px(kExpectedCell);
    wrapped_at(p, type::caption(ui), 15, {room.x, below + ui.px(4), room.w, ui.px(32)},
               fill(ui.text["drafts.map.how"_t], {{"k", with_commas(map.k)},
                                                  {"model", s.bill.left.shape.name},
                                                  {"tokens", with_commas(s.stored)}}));
}

}  // namespace

void paint_expected(const DraftsPicture& s, const Rect& room) {
    const Painter p(s.ui);
    const float y = paint_expected_bars(s, p, room);
    if (const auto map = plan_draft_map(s.bill, std::max<std::uint64_t>(1, s.k), s.stored))
        paint_draft_map(s, p, {room.x, y, room.w, room.bottom() - y}, *map);
}

}  // namespace kv
