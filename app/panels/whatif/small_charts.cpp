// Tokens computed again, and the time to the first token, over the same memory.

#include <cmath>

#include "app/panels/whatif/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr double kChartHeadroom = 1.15;  // for the name of the highest line

// A chart with a list of values at its right.
class SmallChart {
public:
    SmallChart(const WhatIfFrame& frame, const Rect& room, double most)
        : ui(frame.ui), p(frame.ui), weighed(frame.weighed), room_(room) {
        const float list = room.w > ui.px(420) ? ui.px(180) : 0;
        const Rect plot{room.x + ui.px(52), room.y + ui.px(12), room.w - ui.px(66) - list,
                        room.h - ui.px(38)};
        plot_ = memory_plot(weighed, plot);
        plot_.low = 0;
        step_ = round_step(most, 4);
        plot_.high = step_ * std::ceil(std::max(most, 1e-9) / step_);
        list_ = {plot.right() + ui.px(16), room.y + ui.px(6), list - ui.px(16), room.h};
    }
    bool has_room() const { return plot_.plot.w > ui.px(60) && plot_.plot.h > ui.px(30); }
    bool has_list() const { return list_.w > ui.px(60); }

    template <class Words>
    void axes(Words words) const {
        const TextStyle right = aligned(type::tick_label(ui), Align::Right);
        for (double value = 0; value <= plot_.high * 1.0001; value += step_) {
            const float y = std::round(plot_.y(value));
            hline(p, plot_.plot.x, plot_.plot.right(), y,
                  value == 0 ? ui.colors.edge : ui.colors.line);
            text_in(p, right, {room_.x, y - ui.px(8), ui.px(46), ui.px(16)}, words(value));
        }
        const float pitch = plot_.x(2 * plot_.least) - plot_.x(plot_.least);
        const std::vector<MemoryTick> ticks = memory_ticks(weighed);
        float widest = 0;
        for (const MemoryTick& tick : ticks)
            widest = std::max(widest, text_width(ui, type::tick_label(ui), label_of(tick)));
        const auto every =
            static_cast<std::size_t>(std::max(1.0f, std::ceil((widest + ui.px(8)) / pitch)));
        for (std::size_t i = 0; i < ticks.size(); i += every) {
            const float x = plot_.x(static_cast<double>(ticks[i].bytes)), w = widest + ui.px(4);
            text_in(p, aligned(type::tick_label(ui), Align::Center),
                    {x - w / 2, plot_.plot.bottom() + ui.px(4), w, ui.px(15)}, label_of(ticks[i]));
        }
        if (weighed.knows_today())
            vline(p, std::round(plot_.x(static_cast<double>(weighed.base().bytes))), plot_.plot.y,
                  plot_.plot.bottom(), ui.colors.focus, 2);
    }
    Text label_of(const MemoryTick& tick) const {
        if (!weighed.knows_today()) return Text(pool_bytes_words(tick.bytes));
        return fill(ui.text["whatif.times"_t], {{"n", times_words(tick.factor)}});
    }
    Vec2 at(const WhatIfPoint& point, double value) const {
        return {plot_.x(static_cast<double>(point.bytes)), plot_.y(value)};
    }
    // Above a line, or under it where it runs along the upper edge.
    float label_y(float line) const {
        const float above = line - ui.px(17);
        return above < plot_.plot.y - ui.px(4) ? line + ui.px(8) : above;
    }
    void list_head(std::string_view words) {
        text_in(p, type::caption(ui), {list_.x, list_.y, list_.w, ui.px(18)}, words);
        list_.y += ui.px(22);
    }
    // `line`: whose mark stands before the name.
    void list_row(std::string_view name, std::string_view value, Color color,
                  std::optional<WhatIfLine> line_of = {}) {
        if (list_.y + ui.px(20) > room_.bottom()) return;
        const Rect line{list_.x, list_.y, list_.w, ui.px(20)};
        const TextStyle number =
            aligned(colored(sized(type::number_strong(ui), 13), color), Align::Right);
        const float w = text_width(ui, number, value);
        text_in(p, number, line, value);
        const float mark = ui.px(18);
        if (line_of) whatif_mark(p, *line_of, {line.x + ui.px(6), line.center().y}, color);
        text_in(p, colored(type::body(ui), ui.colors.text),
                {line.x + mark, line.y, line.w - mark - w - ui.px(4), line.h}, name);
        list_.y += ui.px(22);
    }

    const Ui& ui;
    Painter p;
    const WeighedRecording& weighed;

private:
    Rect room_, list_;
    MemoryPlot plot_;
    double step_ = 1;
};

// What twice the pool brings, as a row of the list.
const WhatIfPoint* twice_of(const WeighedRecording& weighed) {
    return weighed.summary.twice ? &*weighed.summary.twice : nullptr;
}

std::string count_words(double n) {
    return with_commas(static_cast<u64>(std::llround(n)));
}

void draw_again_lines(SmallChart& chart) {
    const WeighedRecording& weighed = chart.weighed;
    const Color ink = chart.ui.colors.loss.ink;
    const auto value = [&](const WhatIfPoint& point) {
        return weighed.per_second(point.outcome.again_tokens);
    };
    for (const WhatIfCurve& curve : weighed.curves) {
        if (curve.line == WhatIfLine::BlockSize) continue;
        for (std::size_t i = 1; i < curve.points.size(); ++i) {
            const WhatIfPoint &a = curve.points[i - 1], &b = curve.points[i];
            whatif_line(chart.p, curve.line, chart.at(a, value(a)), chart.at(b, value(b)), ink, 2);
        }
        for (const WhatIfPoint& point : curve.points)
            whatif_mark(chart.p, curve.line, chart.at(point, value(point)), ink);
    }
    if (!chart.has_list()) return;
    const bool has_time = weighed.summary.seconds > 0;
    chart.list_head(chart.ui.text[has_time ? "whatif.again.unit"_t : "whatif.again.unit_all"_t]);
    for (const WhatIfCurve& curve : weighed.curves)
        if (curve.here)
            chart.list_row(short_name_of_line(chart.ui.text, weighed, curve.line),
                           count_words(value(*curve.here)), ink, curve.line);
    if (const WhatIfPoint* twice = twice_of(weighed))
        chart.list_row(chart.ui.text["whatif.short.twice"_t], count_words(value(*twice)), ink);
}

using Times = double FirstTokenSeconds::*;

// `below`: where the label of the line before it ends, which this one must not touch.
void draw_time_line(SmallChart& chart, Times which, TextId name, Color color, float& below) {
    const WhatIfCurve* curve = chart.weighed.curve(WhatIfLine::Recorded);
    if (curve == nullptr || curve->points.empty()) return;
    const auto at = [&](const WhatIfPoint& point) {
        return chart.at(point, 1e3 * ((*point.first_token).*which));
    };
    for (std::size_t i = 1; i < curve->points.size(); ++i)
        dashed_line(chart.p, at(curve->points[i - 1]), at(curve->points[i]), color, 2);
    const Vec2 first = at(curve->points.front());
    const float y = chart.label_y(first.y);
    if (y < below) return;
    below = y + chart.ui.px(14);
    text_in(chart.p, colored(type::caption(chart.ui), color),
            {first.x + chart.ui.px(8), y, 0, chart.ui.px(15)}, chart.ui.text[name]);
}

void draw_times_list(SmallChart& chart) {
    if (!chart.has_list()) return;
    const Ui& ui = chart.ui;
    const auto p95 = [&](const WhatIfPoint& point) {
        return point.first_token
                   ? fill(ui.text["whatif.ms"_t], {{"n", ms_words(point.first_token->p95)}})
                   : Text();
    };
    chart.list_head(ui.text["whatif.ttft.unit"_t]);
    for (const WhatIfCurve& curve : chart.weighed.curves)
        if (curve.here)
            chart.list_row(short_name_of_line(ui.text, chart.weighed, curve.line), p95(*curve.here),
                           ui.colors.text);
    if (const WhatIfPoint* twice = twice_of(chart.weighed))
        chart.list_row(ui.text["whatif.short.twice"_t], p95(*twice), ui.colors.text);
}

}  // namespace

void draw_whatif_again(const WhatIfFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const bool has_time = frame.weighed.summary.seconds > 0;
    const Rect room =
        whatif_head(p, frame.px(frame.plan.again), ui.text["whatif.again"_t],
                    ui.text[has_time ? "whatif.again.how"_t : "whatif.again.how_all"_t]);
    if (!frame.shows_pools())
        return frame.choices() ? draw_choice_again(frame, room) : draw_choices_awaited(frame, room);
    double most = 0;
    for (const WhatIfCurve& curve : frame.weighed.curves)
        for (const WhatIfPoint& point : curve.points)
            most = std::max(most, frame.weighed.per_second(point.outcome.again_tokens));
    SmallChart chart(frame, room, std::max(most, 1.0));
    if (!chart.has_room()) return;
    chart.axes([](double value) { return value < 10 ? fixed(value, 1) : count_words(value); });
    draw_again_lines(chart);
}

void draw_whatif_first_token(const WhatIfFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect room =
        whatif_head(p, frame.px(frame.plan.first_token), ui.text["whatif.ttft"_t],
                    ui.text[frame.shows_pools() ? "whatif.ttft.how"_t : "whatif.ttft.how.p95"_t]);
    if (!frame.shows_pools())
        return frame.choices() ? draw_choice_first_token(frame, room)
                               : draw_choices_awaited(frame, room);
    const WhatIfCurve* curve = frame.weighed.curve(WhatIfLine::Recorded);
    double most = 0;
    if (curve)
        for (const WhatIfPoint& point : curve->points)
            if (point.first_token)
                most =
                    std::max({most, 1e3 * point.first_token->p95, 1e3 * point.first_token->mean});
    SmallChart chart(frame, room, std::max(kChartHeadroom * most, 0.1));
    if (!chart.has_room() || most == 0) return;
    chart.axes([&](double value) {
        return fill(ui.text["whatif.axis_ms"_t], {{"n", fixed(value, value < 10 ? 1 : 0)}});
    });
    float below = 0;
    draw_time_line(chart, &FirstTokenSeconds::p95, "whatif.p95"_t, ui.colors.text, below);
    draw_time_line(chart, &FirstTokenSeconds::mean, "whatif.mean"_t, ui.colors.text2, below);
    draw_time_line(chart, &FirstTokenSeconds::median, "whatif.median"_t, ui.colors.text2, below);
    draw_times_list(chart);
}

}  // namespace kv
