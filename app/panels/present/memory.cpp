#include <algorithm>
#include <array>

#include "app/panels/present/paint.hpp"
#include "app/widgets/chart/chart.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

using CurveLine = List<double>;

CurveLine level(const PresentMemory& memory, double bytes) {
    return CurveLine(memory.tokens.size(), bytes);
}

CurveLine at_most(CurveLine line, double limit) {
    for (double& y : line) y = std::min(y, limit);
    return line;
}

// The part of the line that lies above the capacity, with the capacity under it.
struct Beyond {
    CurveLine xs, low, high;
};
Beyond beyond(const PresentMemory& memory, double capacity) {
    Beyond out;
    for (std::size_t i = 0; i < memory.used.size(); ++i) {
        if (memory.used[i] < capacity) continue;
        out.xs.push_back(memory.tokens[i]);
        out.low.push_back(capacity);
        out.high.push_back(memory.used[i]);
    }
    return out;
}

void draw_areas(const Chart& chart, const PresentMemory& memory) {
    const Palette& colors = chart.ui->colors;
    const double capacity = static_cast<double>(memory.capacity);
    const CurveLine base = at_most(level(memory, static_cast<double>(memory.base)), capacity);
    chart_area(chart, memory.tokens, level(memory, 0), base, mix(colors.panel, colors.text, 0.12));
    chart_area(chart, memory.tokens, base, at_most(memory.used, capacity),
               mix(colors.panel, colors.text, 0.3));
    const Beyond over = beyond(memory, capacity);
    if (over.xs.size() > 1)
        chart_area(chart, over.xs, over.low, over.high, colors.wash_of(colors.loss));
}

void draw_lines(const Chart& chart, const PresentMemory& memory) {
    const Palette& colors = chart.ui->colors;
    const double capacity = static_cast<double>(memory.capacity);
    const CurveLine base = level(memory, static_cast<double>(memory.base));
    chart_line(chart, memory.tokens, base,
               {.color = colors.text2, .width = 1.6f, .dash = LineDash::Dashed});
    if (memory.shows_capacity)
        chart_line(chart, memory.tokens, level(memory, capacity),
                   {.color = colors.text, .width = 1.2f});
    chart_line(chart, memory.tokens, memory.used, {.color = colors.text, .width = 2.4f});
    const Beyond over = beyond(memory, capacity);
    if (over.xs.size() > 1)
        chart_line(chart, over.xs, over.high, {.color = colors.loss.ink, .width = 2.4f});
}

Text card_text(const BillView& view, const Texts& text) {
    const Text card = bytes_in(view.in.device.unit, view.in.device.bytes);
    if (view.in.cards == 1) return fill(text["present.memory.card"_t], {{"card", card}});
    return fill(text["present.memory.cards"_t],
                {{"cards", with_commas(view.in.cards)}, {"card", card}});
}

void draw_labels(const Chart& chart, const BillView& view, const PresentMemory& memory) {
    const Ui& ui = *chart.ui;
    const u64 end = static_cast<u64>(memory.used.back());
    const Text base = view.bytes(memory.base), used = view.bytes(end),
               capacity = view.bytes(memory.capacity), card = card_text(view, ui.text);
    List<EndLabel> labels{{.y = static_cast<double>(memory.base),
                           .value = base,
                           .caption = ui.text["present.memory.base"_t]},
                          {.y = memory.used.back(),
                           .value = used,
                           .caption = ui.text["present.memory.used"_t],
                           .strong = true}};
    if (end > memory.capacity) labels.back().color = ui.colors.loss.ink;
    const Text above = fill(ui.text["present.memory.above"_t], {{"card", card}});
    labels.push_back(
        {.y = memory.shows_capacity ? static_cast<double>(memory.capacity) : chart.y.max,
         .value = capacity,
         .caption = memory.shows_capacity ? card : above});
    chart_end_labels(chart, labels);
}

// The run as it is now: a ring on the line, and what part of it is the cache.
void draw_now(const Chart& chart, const BillView& view, const PresentMemory& memory) {
    const Ui& ui = *chart.ui;
    const std::array x{static_cast<double>(memory.now_tokens)};
    const std::array y{static_cast<double>(memory.now_used)};
    chart_markers(chart, x, y, Marker::Ring, ui.colors.text, 4.5f);
    const TextStyle style{ui.fonts.semibold, 13, ui.colors.text, Align::Right};
    chart_note(chart, x[0], y[0], {-8, -14}, style,
               fill(ui.text["present.memory.cache"_t], {{"bytes", view.bytes(memory.now_cache)}}));
}

}  // namespace

void draw_present_memory(const Ui& ui, const BillView& view, const Rect& room) {
    const auto memory = present_memory(view);
    if (!memory) return;
    const Ui large = scaled(ui, ui.unit * kPresentWidgets);
    const List<ChartTick> y_ticks = ticks_of(memory->axis.marks);
    const double now = static_cast<double>(memory->now_tokens), end = memory->tokens.back();
    const Text now_text = with_commas(memory->now_tokens),
               end_text = with_commas(static_cast<u64>(end));
    const std::array x_ticks{ChartTick{0, "0"}, ChartTick{now, now_text, true},
                             ChartTick{end, end_text}};
    ImGui::SetCursorScreenPos(im(room.min()));
    const ChartSpec spec{.title = ui.text["present.memory"_t],
                         .unit = memory->axis.unit,
                         .x = {.max = end, .ticks = x_ticks, .grid = false},
                         .y = {.max = memory->axis.max(), .ticks = y_ticks},
                         .x_label = ui.text["present.memory.x"_t],
                         .height = room.h,
                         .width = room.w,
                         .label_room = 124,
                         .playhead = now};
    if (const Chart chart = begin_chart(large, "memory", spec)) {
        draw_areas(chart, *memory);
        draw_lines(chart, *memory);
        draw_labels(chart, view, *memory);
        draw_now(chart, view, *memory);
        end_chart(chart);
    }
}

}  // namespace kv
