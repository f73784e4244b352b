// Hit rate over pool size: what was recorded, other codecs, a host tier, other blocks; today's
// pool, what it removed too early, and the knee.

#include <algorithm>
#include <cmath>

#include "app/panels/whatif/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

class HitRateCurve {
public:
    HitRateCurve(const WhatIfFrame& frame, const Rect& room)
        : ui_(frame.ui), p_(frame.ui), weighed_(frame.weighed), room_(room) {
        const Rect plot{room.x + ui_.px(40), room.y + ui_.px(40), room.w - ui_.px(76),
                        room.h - ui_.px(96)};
        plot_ = memory_plot(weighed_, plot);
        fit_rates(weighed_, plot_);
        legend_ = place_legend();
    }

    void draw() {
        if (plot_.plot.w < ui_.px(120) || plot_.plot.h < ui_.px(60)) return;
        draw_axes();
        draw_without_end();
        draw_knee();
        draw_base();
        // What was recorded is the first of them, so it comes to lie on top.
        for (std::size_t i = weighed_.curves.size(); i-- > 0;) draw_curve(weighed_.curves[i]);
        draw_replayed();
        draw_legend();
    }

private:
    double rate_of(const WhatIfPoint& point) const { return point.outcome.hit_rate(); }
    Vec2 at(const WhatIfPoint& point) const {
        return {plot_.x(static_cast<double>(point.bytes)), plot_.y(rate_of(point))};
    }

    void draw_axes() const {
        const TextStyle style = aligned(type::tick_label(ui_), Align::Right);
        const double step = plot_.high - plot_.low > 0.55 ? 0.2 : 0.1;
        double rate = plot_.low;
        while (rate <= plot_.high + 1e-6) {
            const float y = std::round(plot_.y(rate));
            hline(p_, plot_.plot.x, plot_.plot.right(), y, ui_.colors.line);
            text_in(p_, style, {room_.x, y - ui_.px(8), ui_.px(34), ui_.px(16)},
                    fixed(100 * rate, 0) + "%");
            rate += step;
        }
        hline(p_, plot_.plot.x, plot_.plot.right(), plot_.plot.bottom(), ui_.colors.edge);
        const std::vector<MemoryTick> ticks = memory_ticks(weighed_);
        const float pitch = plot_.x(2 * plot_.least) - plot_.x(plot_.least);
        for (const MemoryTick& tick : ticks) draw_tick(tick, pitch);
    }
    void draw_tick(const MemoryTick& tick, float pitch) const {
        const float x = plot_.x(static_cast<double>(tick.bytes)), y = plot_.plot.bottom();
        vline(p_, std::round(x), y, y + ui_.px(4), ui_.colors.edge);
        const auto line = [&](float down, const TextStyle& style, std::string_view words) {
            if (text_width(ui_, style, words) > pitch - ui_.px(4)) return;
            text_in(p_, aligned(style, Align::Center),
                    {x - pitch / 2, y + ui_.px(down), pitch, ui_.px(15)}, words);
        };
        TextStyle first = type::tick_label(ui_);
        if (tick.factor == 1 && weighed_.knows_today())
            first = with_font(colored(first, ui_.colors.text), ui_.fonts.mono_bold);
        float down = 5;
        if (weighed_.knows_today()) {
            line(down, first, fill(ui_.text["whatif.times"_t], {{"n", times_words(tick.factor)}}));
            down += 15;
        }
        line(down, type::tick_label(ui_), pool_bytes_words(tick.bytes));
        const std::string n = with_commas(tick.blocks);
        line(down + 15, type::tick_label(ui_), fill(ui_.text["whatif.blocks"_t], {{"n", n}}));
    }

    void draw_without_end() const {
        const double most = rate_of(weighed_.summary.without_end);
        const float y = std::round(plot_.y(most));
        dotted_line(p_, {plot_.plot.x, y}, {plot_.plot.right(), y}, ui_.colors.text2);
        text_in(p_, aligned(type::caption(ui_), Align::Right), without_end_words(), never_words());
    }
    Text never_words() const {
        return fill(ui_.text["whatif.never"_t],
                    {{"rate", share_words(rate_of(weighed_.summary.without_end))}});
    }
    Rect without_end_words() const {
        const float y = std::round(plot_.y(rate_of(weighed_.summary.without_end)));
        const float w =
            std::min(plot_.plot.w, text_width(ui_, type::caption(ui_), never_words()) + ui_.px(2));
        return {plot_.plot.right() - w, y - ui_.px(18), w, ui_.px(16)};
    }

    // The line of today's pool, its flag, and what it removed too early.
    void draw_base() const {
        if (!weighed_.knows_today()) return;
        const WhatIfPoint& today = weighed_.base();
        const float x = std::round(at(today).x);
        vline(p_, x, room_.y + ui_.px(20), plot_.plot.bottom(), ui_.colors.focus, 2);
        const bool is_guess = weighed_.summary.today.from == TodayFrom::MostCached;
        const Text flag = fill(ui_.text[is_guess ? "whatif.today.guess"_t : "whatif.today"_t],
                               {{"size", pool_bytes_words(today.bytes)}});
        const TextStyle style = colored(sized(type::strong(ui_), 12), ui_.colors.panel);
        const float w = text_width(ui_, style, flag) + ui_.px(16);
        const float left = std::clamp(x - w / 2, room_.x, room_.right() - w);
        fill_flag({left, room_.y + ui_.px(6), w, ui_.px(20)}, style, flag);
        draw_too_early(today, x);
    }
    // The vermillion bar from today's rate up to that of a pool without end, and its words where
    // they stand clear of the flag and of the words of that pool.
    void draw_too_early(const WhatIfPoint& today, float x) const {
        const double lost = rate_of(weighed_.summary.without_end) - rate_of(today);
        if (lost < 0.0005) return;
        const float top = plot_.y(rate_of(weighed_.summary.without_end)), bottom = at(today).y;
        const Rect bar{x - ui_.px(4), top, ui_.px(8), bottom - top};
        kv::fill(p_, snap(bar), ui_.colors.loss.fill);
        outline(p_, snap(bar), ui_.colors.loss.ink);
        const Rect words{x + ui_.px(12), room_.y + ui_.px(26), ui_.px(280), ui_.px(18)};
        if (top - words.y < ui_.px(34)) return;
        text_in(p_, colored(type::number_strong(ui_), ui_.colors.loss.ink), words,
                fill(ui_.text["whatif.too_early"_t], {{"n", fixed(100 * lost, 1)}}));
        const TextStyle why = colored(type::caption(ui_), ui_.colors.loss.ink);
        const float end = words.x + text_width(ui_, why, ui_.text["whatif.too_early.why"_t]);
        if (end > without_end_words().x) return;
        text_in(p_, why, {words.x, words.y + ui_.px(17), words.w, ui_.px(16)},
                ui_.text["whatif.too_early.why"_t]);
    }
    void fill_flag(const Rect& r, const TextStyle& style, std::string_view words) const {
        kv::fill(p_, snap(r), ui_.colors.focus, 3);
        text_in(p_, aligned(style, Align::Center), r, words);
    }

    void draw_knee() const {
        const WhatIfPoint& knee = weighed_.summary.knee;
        const Vec2 point = at(knee);
        if (point.x < plot_.plot.x || point.x > plot_.plot.right()) return;
        p_.list.AddCircle(im(point), ui_.px(8), im(ui_.colors.text), 0, ui_.px(2));
        draw_knee_words(
            point, fill(ui_.text["whatif.knee.where"_t], {{"blocks", with_commas(knee.pool)},
                                                          {"size", pool_bytes_words(knee.bytes)}}));
    }
    // Where the words of the knee stand: beside its line, over the foot of the plot or the legend.
    struct KneeRoom {
        float x = 0, w = 0, floor = 0;
        bool is_left = false;
    };
    KneeRoom knee_room(Vec2 point) const {
        KneeRoom room{.w = ui_.px(190)};
        room.is_left = point.x + room.w + ui_.px(6) > plot_.plot.right();
        room.x = room.is_left ? point.x - room.w - ui_.px(6) : point.x + ui_.px(6);
        const float end = room.is_left ? point.x : room.x + room.w;
        const bool over_legend = legend_.w > 0 && end > legend_.x - ui_.px(8);
        room.floor = over_legend ? legend_.y - ui_.px(4) : plot_.plot.bottom() - ui_.px(14);
        return room;
    }
    // As much of it as stands clear of the curve: the name, the place, the reason.
    void draw_knee_words(Vec2 point, const Text& where) const {
        const KneeRoom room = knee_room(point);
        const std::string_view name = ui_.text["whatif.knee"_t],
                               why = ui_.text["whatif.knee.why"_t];
        const auto clear = [&](float width, float over_floor) {
            const float left = room.is_left ? room.x + room.w - width : room.x;
            const float top = room.floor - over_floor;
            return top >= lowest_between(left, left + width) && top >= point.y + ui_.px(12);
        };
        const float line_h = ui_.px(17);
        const float reason_h = wrapped_height(ui_, type::caption(ui_), 15, room.w, why);
        const float name_w = text_width(ui_, type::strong(ui_), name);
        const float place_w = text_width(ui_, type::number_small(ui_), where);
        const bool has_why = clear(name_w, reason_h + 2 * line_h) &&
                             clear(place_w, reason_h + line_h) && clear(room.w, reason_h);
        const bool has_where = has_why || (clear(name_w, 2 * line_h) && clear(place_w, line_h));
        if (!has_where && !clear(name_w, line_h)) return;
        const float height = has_why ? reason_h + 2 * line_h : has_where ? 2 * line_h : line_h;
        const float y = room.floor - height;
        dashed_line(p_, {point.x, point.y + ui_.px(9)}, {point.x, room.floor}, ui_.colors.text2);
        const Align side = room.is_left ? Align::Right : Align::Left;
        const auto line = [&](float down, const TextStyle& style, std::string_view words) {
            text_in(p_, aligned(style, side), {room.x, y + ui_.px(down), room.w, line_h}, words);
        };
        line(0, type::strong(ui_), name);
        if (has_where) line(17, type::number_small(ui_), where);
        if (has_why)
            wrapped_at(p_, aligned(type::caption(ui_), side), 15,
                       {room.x, y + 2 * line_h, room.w, 0}, why);
    }
    // Of what was recorded, from one x to another; the top of the plot where nothing is.
    float lowest_between(float from, float to) const {
        float lowest = plot_.plot.y;
        const std::vector<WhatIfPoint>& points = weighed_.curves.front().points;
        for (std::size_t i = 1; i < points.size(); ++i) {
            const Vec2 a = at(points[i - 1]), b = at(points[i]);
            if (b.x < from || a.x > to || b.x <= a.x) continue;
            for (const float x : {std::max(from, a.x), std::min(to, b.x)})
                lowest = std::max(lowest, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
        }
        return lowest;
    }

    Color color_of_line(WhatIfLine line) const {
        return line == WhatIfLine::Recorded ? ui_.colors.text : ui_.colors.text2;
    }
    void draw_curve(const WhatIfCurve& curve) const {
        const Color color = color_of_line(curve.line);
        for (std::size_t i = 1; i < curve.points.size(); ++i)
            whatif_line(p_, curve.line, at(curve.points[i - 1]), at(curve.points[i]), color, 2);
        for (const WhatIfPoint& point : curve.points) whatif_mark(p_, curve.line, at(point), color);
    }
    // Around the points of the one pass that were replayed as well.
    void draw_replayed() const {
        for (const WhatIfRow& row : weighed_.rows) {
            if (row.line != WhatIfLine::Recorded || row.without_end) continue;
            const float side = ui_.px(11);
            const Vec2 middle = at(row.point);
            outline(p_, snap({middle.x - side / 2, middle.y - side / 2, side, side}),
                    ui_.colors.text);
            if (row.factor == 1) draw_rate(row.point, middle);
        }
    }
    void draw_rate(const WhatIfPoint& point, Vec2 middle) const {
        const float x = middle.x + ui_.px(14), y = middle.y + ui_.px(4);
        const bool is_low = plot_.plot.h < ui_.px(240);
        if (y + ui_.px(is_low ? 18 : 36) > plot_.plot.bottom() || !weighed_.knows_today()) return;
        text_in(p_, sized(type::number_strong(ui_), 16), {x, y, 0, ui_.px(18)},
                share_words(rate_of(point)));
        if (is_low) return;  // the words of the knee may stand there
        const Text of_tokens = fill(ui_.text["whatif.of_tokens"_t],
                                    {{"hit", with_commas(point.outcome.hit_tokens)},
                                     {"asked", with_commas(point.outcome.asked_tokens)}});
        const Rect words{x, y + ui_.px(18), text_width(ui_, type::number_small(ui_), of_tokens),
                         ui_.px(15)};
        if (words.right() > legend_.x - ui_.px(4) && words.bottom() > legend_.y && legend_.w > 0)
            return;
        text_in(p_, type::number_small(ui_), words, of_tokens);
    }

    // Places the legend at the right below, where curves leave the room; no width where there is
    // none.
    Rect place_legend() const {
        const float w = std::min(ui_.px(392), plot_.plot.w * 0.46f);
        const float h = ui_.px(22) * static_cast<float>(weighed_.curves.size() + 1) + ui_.px(10);
        const float y = plot_.plot.bottom() - h - ui_.px(8);
        float lowest = plot_.plot.y;  // of what was recorded, over the legend
        for (const WhatIfPoint& point : weighed_.curves.front().points)
            if (at(point).x > plot_.plot.right() - w) lowest = std::max(lowest, at(point).y);
        if (w < ui_.px(220) || y < lowest + ui_.px(14)) return {};
        return snap({plot_.plot.right() - w, y, w, h});
    }
    void draw_legend() const {
        if (legend_.w <= 0) return;
        const float row = ui_.px(22);
        Rect line{legend_.x + ui_.px(12), legend_.y + ui_.px(5), legend_.w - ui_.px(24), row};
        kv::fill(p_, legend_, ui_.colors.panel, 4);
        outline(p_, legend_, ui_.colors.line, 4);
        const TextId head = weighed_.knows_today() ? "whatif.legend"_t : "whatif.legend.no_today"_t;
        text_in(p_, type::strong(ui_), line,
                fill(ui_.text[head], {{"size", pool_bytes_words(weighed_.base().bytes)}}));
        text_in(p_, aligned(type::caption(ui_), Align::Right), line, ui_.text["whatif.hit_rate"_t]);
        for (const WhatIfCurve& curve : weighed_.curves) {
            line.y += row;
            const float middle = std::round(line.center().y);
            const Color color = color_of_line(curve.line);
            whatif_line(p_, curve.line, {line.x, middle}, {line.x + ui_.px(36), middle}, color, 2);
            whatif_mark(p_, curve.line, {line.x + ui_.px(18), middle}, color);
            const float left = ui_.px(46), right = ui_.px(64);
            const TextStyle style = colored(type::body(ui_), ui_.colors.text);
            const Rect name{line.x + left, line.y, line.w - left - right, line.h};
            const Text whole = name_of_line(ui_.text, weighed_, curve.line);
            text_in(p_, style, name,
                    text_width(ui_, style, whole) <= name.w
                        ? whole
                        : short_name_of_line(ui_.text, weighed_, curve.line));
            if (curve.here)
                text_in(p_, aligned(sized(type::number_strong(ui_), 13), Align::Right), line,
                        share_words(rate_of(*curve.here)));
        }
    }

    const Ui& ui_;
    Painter p_;
    const WeighedRecording& weighed_;
    Rect room_;
    MemoryPlot plot_;
    Rect legend_;
};

}  // namespace

void draw_whatif_curve(const WhatIfFrame& frame) {
    const auto& text = frame.ui.text;
    const std::array hows{text["whatif.curve.how"_t], text["whatif.by_block_size.how"_t],
                          text["whatif.by_order.how"_t]};
    const Rect room = whatif_tabs(frame, frame.px(frame.plan.curve),
                                  hows[static_cast<std::size_t>(frame.own.view)]);
    if (frame.shows_pools()) return HitRateCurve(frame, room).draw();
    if (frame.choices() == nullptr) return draw_choices_instead(frame, room);
    draw_choice_chart(frame, room);
}

}  // namespace kv
