// The event logs of both sides on one axis of steps: left and right of the number of the step.

#include <algorithm>
#include <cmath>

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/timeline/sentences.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/edge_list.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLogRow = 24, kLogStep = 56, kLogMark = 10, kLogTag = 30,
                kLogWords = 46;  // logical pixels

void paint_event(const Ui& ui, const RunView& run, const RunMark& mark, const Rect& room) {
    const Painter p(ui);
    const EventSentence words = sentence_of(ui.text, run, mark.event);
    const float y = std::floor(room.center().y);
    draw_event_mark(p, {room.x + ui.px(kLogMark), y}, 12, mark.mark);
    if (words.request)
        draw_request_tag(p, {room.x + ui.px(kLogTag), y}, 16, tag_of(run.now, *words.request));
    const Rect line{room.x + ui.px(kLogWords), room.y,
                    std::max(1.0f, room.w - ui.px(kLogWords) - ui.px(8)), room.h};
    const std::array runs{Run{colored(type::body(ui), ui.colors.text), words.what},
                          Run{type::caption(ui), words.why, 10}};
    if (runs_width(ui, runs) <= line.w) return runs_in(p, runs, line);
    text_in(p, runs[0].style, line, words.what);
}

void draw_row(const Ui& ui, const PairView& pair, const RunHistory& left, const LogRow& row,
              const EdgeRow& at) {
    const Painter p(ui);
    const Rect& r = at.hit.rect;
    const bool is_now = row.iteration == pair.left.now.iteration;
    if (at.hit.hovered || is_now) fill(p, at.wash, ui.colors.hover_wash());
    if (at.hit.focused) focus_ring(p, r);
    if (row.begins_step) hline(p, at.wash.x, at.wash.right(), at.wash.y, ui.colors.line);
    const float step = ui.px(kLogStep), half = std::floor((r.w - step) / 2);
    if (row.begins_step)
        text_in(p,
                aligned(is_now ? type::number_strong(ui) : type::number_small(ui), Align::Center),
                {r.x + half, r.y, step, r.h}, with_commas(row.iteration));
    if (row.left) paint_event(ui, pair.left, left.marks()[*row.left], {r.x, r.y, half, r.h});
    if (row.right)
        paint_event(ui, pair.right, pair.own.right_history.marks()[*row.right],
                    {r.x + half + step, r.y, half, r.h});
    if (!at.hit.pressed) return;
    if (row.left)
        ui.out.push("run.moment", left.marks()[*row.left].event + 1);
    else
        ui.out.push("run.goto", std::uint64_t{row.iteration});
}

}  // namespace

void draw_pair_log(const Ui& ui, const PairView& pair, const RunHistory& left, PairLog& log) {
    const Flush flush;
    log.follow(left, pair.left.moment, pair.own.right_history, pair.right.moment);
    if (log.rows().empty()) return paragraph(ui, type::caption(ui), 17, ui.text["events.none"_t]);
    edge_list(ui, "rows", 0, log.rows().size(), kLogRow, [&](std::size_t i, const EdgeRow& row) {
        draw_row(ui, pair, left, log.rows()[i], row);
    });
}

Text pair_log_caption(const Ui& ui, const PairLog& log) {
    std::uint64_t left = 0, right = 0;
    for (const LogRow& row : log.rows())
        left += row.left.has_value(), right += row.right.has_value();
    return fill(ui.text["pair.log.caption"_t],
                {{"left", with_commas(left)}, {"right", with_commas(right)}});
}

}  // namespace kv
