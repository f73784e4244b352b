// The strips of memory over time, their axis and the playhead.

#include <algorithm>
#include <cmath>

#include "app/panels/race/paint.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

void paint_runs(const Painter& p, const Rect& strip, std::span<const StripRun> runs, float from,
                float to, bool to_come) {
    const Palette& c = p.ui.colors;
    const auto look = [&](Color color) { return to_come ? pale(c, color) : color; };
    const Rect part{strip.x + from, strip.y, to - from, strip.h};
    if (part.w <= 0) return;
    fill(p, part, c.inset);
    const bool gaps =
        std::any_of(runs.begin(), runs.end(), [](const StripRun& run) { return run.external > 0; });
    if (gaps) hatch(p, part, look(color_of(c, SlotKind::External)));
    for (const StripRun& run : runs) {
        const float x0 = std::max(from, static_cast<float>(run.x));
        const float x1 = std::min(to, static_cast<float>(run.x + run.w));
        if (x1 <= x0) continue;
        float y = strip.bottom();
        const auto stack = [&](int h, Color color) {
            y -= static_cast<float>(h);
            if (h > 0) fill(p, {strip.x + x0, y, x1 - x0, static_cast<float>(h)}, color);
        };
        stack(run.live, look(color_of(c, SlotKind::Live)));
        stack(run.reserved, look(color_of(c, SlotKind::Reserved)));
        stack(run.internal, look(color_of(c, SlotKind::Internal)));
        y -= static_cast<float>(run.external);
        if (gaps) stack(run.free, c.inset);
    }
}

// Marks where an allocator came to its end, with the words beside it, on the side that has room.
void paint_end(const RaceFrame& frame, const Painter& p, const Rect& strip, std::size_t i) {
    const Ui& ui = frame.ui;
    const RaceRecord& lane = frame.lane(i);
    const RaceTime time = frame.own.shown();
    const u64 end = lane.result.iterations;
    if (end < time.first || end > time.end()) return;
    const float x = strip.x + std::round(x_of(time, static_cast<double>(end), strip.w));
    vline(p, std::min(x, strip.right() - ui.px(2)), strip.y, strip.bottom(), ui.colors.focus, 2);
    const Text words = end_words(ui.text, lane, frame.race().requests);
    const TextStyle style = sized(type::strong(ui), 12);
    const float w = std::ceil(text_width(ui, style, words)), pad = ui.px(6), h = ui.px(18);
    const bool left = x - w - 3 * pad >= strip.x;
    const Rect box{left ? x - w - 3 * pad : x + pad, strip.y + ui.px(4), w + 2 * pad, h};
    if (box.right() > strip.right() || box.bottom() > strip.bottom()) return;
    fill(p, box, ui.colors.inset, 2);
    text_in(p, aligned(style, Align::Center), box, words);
}

void paint_all(const RaceFrame& frame, const Painter& p, float now) {
    for (std::size_t i = 0; i < frame.plan.lanes.size(); ++i) {
        const Rect strip = frame.px(frame.plan.lanes[i].strip);
        const auto runs = frame.own.strips.of(i);
        paint_runs(p, strip, runs, 0, now, false);
        paint_runs(p, strip, runs, now, strip.w, true);
        paint_end(frame, p, strip, i);
        outline(p, strip, frame.ui.colors.line);
    }
}

// Round iterations, but for those that the playhead's box would cover.
void paint_axis(const RaceFrame& frame, const Painter& p, const Rect& box) {
    const Ui& ui = frame.ui;
    const RaceTime time = frame.own.shown();
    const Rect axis = frame.px(frame.plan.axis);
    const int intervals = std::clamp(static_cast<int>(axis.w / ui.px(120)), 1, 10);
    const auto steps = round_ticks(static_cast<double>(time.count), intervals);
    const u64 step = std::max<u64>(1, static_cast<u64>(steps[1]));
    for (u64 at = ceil_div(time.first, step) * step; at <= time.end(); at += step) {
        const float x = axis.x + std::round(x_of(time, static_cast<double>(at), axis.w));
        vline(p, std::min(x, axis.right() - 1), axis.y + ui.px(2), axis.y + ui.px(6),
              ui.colors.edge);
        const std::string label = with_commas(at);
        const TextStyle style = type::tick_label(ui);
        const float w = std::ceil(text_width(ui, style, label));
        const float left = std::max(axis.x, std::min(x - std::round(w / 2), axis.right() - w));
        if (left < box.right() + ui.px(8) && left + w > box.x - ui.px(8)) continue;
        text_in(p, style, {left, axis.y + ui.px(6), 0, ui.px(18)}, label);
    }
}

// The box under the playhead, inside the axis.
Rect playhead_box(const RaceFrame& frame, float now, const Text& words) {
    const Ui& ui = frame.ui;
    const Rect axis = frame.px(frame.plan.axis);
    const TextStyle style = sized(type::number_strong(ui), 12);
    const float w = std::ceil(text_width(ui, style, words)) + ui.px(20);
    const float x = std::min(axis.x + now - std::floor(w / 2), axis.right() - w);
    return {std::max(axis.x, x), axis.y + ui.px(3), w, ui.px(22)};
}

void paint_playhead(const RaceFrame& frame, const Painter& p, float now, const Rect& box,
                    const Text& words) {
    const Ui& ui = frame.ui;
    const Rect first = frame.px(frame.plan.lanes.front().strip);
    const float x = first.x + std::min(now, first.w - ui.px(2));
    vline(p, x, first.y - ui.px(4), box.y, ui.colors.focus, 2);
    fill(p, box, ui.colors.text, 3);
    const TextStyle style = sized(type::number_strong(ui), 12);
    text_in(p, aligned(colored(style, ui.colors.panel), Align::Center), box, words);
}

}  // namespace

Color color_of(const Palette& colors, SlotKind kind) {
    switch (kind) {
        case SlotKind::Live:
            return colors.cached.ink;
        case SlotKind::Reserved:
            return mix(colors.panel, colors.loss.fill, 0.42);
        case SlotKind::Internal:
        case SlotKind::External:
            return colors.loss.fill;
        case SlotKind::Free:
            break;
    }
    return colors.inset;
}

Color pale(const Palette& colors, Color color) {
    return mix(colors.inset, color, 0.34);
}

void fill_kind(const Painter& p, const Rect& r, SlotKind kind) {
    const Palette& c = p.ui.colors;
    const bool hatched = kind == SlotKind::External;
    fill(p, r, hatched ? c.inset : color_of(c, kind));
    if (hatched) hatch(p, r, color_of(c, kind));
}

void draw_race_strips(const RaceFrame& frame) {
    const Ui& ui = frame.ui;
    const RacePlan& plan = frame.plan;
    const Rect first = frame.px(plan.lanes.front().strip), axis = frame.px(plan.axis);
    if (first.w < 1 || first.h < 1) return;
    ImGui::SetCursorScreenPos({first.x, first.y});
    const Hit hit = hit_item("strips", {first.w, axis.bottom() - first.y});
    frame.own.strips.follow(frame.own.race, frame.own.shown(),
                            {static_cast<int>(first.w), static_cast<int>(first.h)});
    const Painter p(ui);
    const float now =
        std::clamp(std::round(x_of(frame.own.shown(), frame.own.at(), first.w)), 0.0f, first.w);
    paint_all(frame, p, now);
    const Text words =
        fill(ui.text["race.iteration"_t], {{"n", with_commas(frame.own.iteration())}});
    const Rect box = playhead_box(frame, now, words);
    paint_axis(frame, p, box);
    paint_playhead(frame, p, now, box, words);
    if (hit.focused) focus_ring(p, hit.rect);
    use_race_strips(frame, hit);
}

}  // namespace kv
