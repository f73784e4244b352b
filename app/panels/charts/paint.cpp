#include "app/panels/charts/paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/view/facts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr double kFutureCurve = 0.3;  // of the colour: recorded, but after the cursor
constexpr double kLiveShade = 0.47, kCachedShade = 0.15;
constexpr float kStairsFrom = 3;  // pixels of a step from which values are drawn as stairs
constexpr float kRingPitch = 18;  // logical pixels between two rings

// The curves of one chart, before the cursor and after it.
class Curves {
public:
    Curves(const Chart& chart, const RunView& run, const RunSeries& series, const ChartStep& cursor,
           const StepRange& range)
        : chart_(chart),
          ui_(*chart.ui),
          series_(series),
          cursor_(cursor.sample),
          here_(curve_values(cursor.sample, run, cursor.read, cursor.times)),
          per_step_(chart.plot.w / static_cast<float>(std::max(1e-9, range.last - range.first))) {
        // One step more on either side, so that lines leave the picture instead of ending in it.
        const Sample* const done = last_finished(run);
        const std::size_t n_done =
            done == nullptr ? 0 : static_cast<std::size_t>(done - run.samples.data()) + 1;
        first_ = series.first_at(range.first);
        end_ = std::min(series.size(), series.first_at(range.last + 1));
        past_end_ = std::clamp(n_done, first_, std::max(first_, end_));
        in_view_ = cursor_.iteration >= range.first && cursor_.iteration <= range.last;
    }

    void memory() {
        const Color live = shade(kLiveShade), cached = shade(kCachedShade);
        for (const bool future : {false, true}) {
            const CurvePoints low = zero(area(RunCurve::Live, future)),
                              used = area(RunCurve::Live, future),
                              allocated = area(RunCurve::Allocated, future),
                              all = area(RunCurve::WithCached, future);
            if (low.xs.empty()) continue;
            chart_area(chart_, low.xs, allocated.ys, all.ys, tone(cached, future));
            chart_area(chart_, low.xs, used.ys, allocated.ys, tone(ui_.colors.loss.fill, future));
            chart_area(chart_, low.xs, low.ys, used.ys, tone(live, future));
            chart_line(chart_, allocated.xs, allocated.ys, {tone(ui_.colors.text, future), 1.6f});
        }
        name_live();
    }

    // A whole value for each iteration: what lies before the cursor is known of finished ones.
    void bars(RunCurve curve, Color color) {
        for (const bool future : {false, true}) {
            const CurvePoints top = bar_tops(curve, future), low = zero(top);
            chart_area(chart_, top.xs, low.ys, top.ys, tone(color, future));
        }
    }

    void line(RunCurve curve, Color color, bool with_cursor, LineDash dash = LineDash::Solid) {
        for (const bool future : {true, false}) {
            const CurvePoints points = points_of(curve, future, with_cursor);
            chart_line(chart_, points.xs, points.ys, {tone(color, future), 1.6f, dash});
        }
    }

    // Rings where the formula says the line should be, every few pixels and at the last finished
    // step.
    void rings() {
        if (past_end_ == first_ || series_.size() == 0) return;
        const auto every = static_cast<std::size_t>(
            std::max(1.0f, std::ceil(ui_.px(kRingPitch) / std::max(0.001f, per_step_))));
        CurvePoints points;
        for (std::size_t i = past_end_ - 1;; i -= every) {
            points.add(series_.iteration(i), series_.of(RunCurve::Formula)[i]);
            if (i < first_ + every) break;
        }
        chart_markers(chart_, points.xs, points.ys, Marker::Ring, ui_.colors.text, 3);
    }

private:
    Color shade(double share) const { return mix(ui_.colors.panel, ui_.colors.text, share); }
    Color tone(Color color, bool future) const {
        return future ? mix(ui_.colors.panel, color, kFutureCurve) : color;
    }
    std::size_t columns() const { return static_cast<std::size_t>(std::max(1.0f, chart_.plot.w)); }

    // The future begins where the past ends, so that the two meet.
    template <class Points>
    CurvePoints part(RunCurve curve, bool future, bool with_cursor, Points points) const {
        const double x = cursor_.iteration, y = here_[index_of(curve)];
        CurvePoints out;
        if (!future) {
            out = points(first_, past_end_);
            if (!with_cursor || !in_view_) return out;
            if (!out.xs.empty() && out.xs.back() >= x) out.xs.pop_back(), out.ys.pop_back();
            out.add(x, y);
            return out;
        }
        if (past_end_ >= end_) return out;
        const CurvePoints rest = points(past_end_, end_);
        out.reserve(rest.xs.size() + 1);
        if (with_cursor && in_view_)
            out.add(x, y);
        else if (past_end_ > first_)
            out.add(series_.iteration(past_end_ - 1), series_.of(curve)[past_end_ - 1]);
        for (std::size_t i = 0; i < rest.xs.size(); ++i)
            if (out.xs.empty() || rest.xs[i] > out.xs.front()) out.add(rest.xs[i], rest.ys[i]);
        return out;
    }

    CurvePoints points_of(RunCurve curve, bool future, bool with_cursor) const {
        return part(curve, future, with_cursor, [&](std::size_t first, std::size_t last) {
            return line_points(series_, curve, first, last, columns());
        });
    }

    CurvePoints tops(RunCurve curve, bool future, bool with_cursor) const {
        return part(curve, future, with_cursor, [&](std::size_t first, std::size_t last) {
            return top_points(series_, curve, first, last, columns());
        });
    }

    CurvePoints area(RunCurve curve, bool future) const {
        const CurvePoints points = tops(curve, future, true);
        return per_step_ >= ui_.px(kStairsFrom) ? held_back(points) : points;
    }

    // A value that belongs to its step alone keeps its edges as long as a step is a pixel.
    CurvePoints bar_tops(RunCurve curve, bool future) const {
        if (per_step_ < 1) return tops(curve, future, false);
        return as_bars(top_points(series_, curve, future ? past_end_ : first_,
                                  future ? end_ : past_end_, columns()));
    }

    static CurvePoints zero(CurvePoints points) {
        std::fill(points.ys.begin(), points.ys.end(), 0.0);
        return points;
    }

    // The area says what it is where it has the room.
    void name_live() const {
        const CurvePoints live = points_of(RunCurve::Live, false, true);
        if (live.xs.size() < 2) return;
        const TextStyle style{ui_.fonts.semibold, 12, ui_.colors.panel, Align::Center};
        const float width = text_width(ui_, style, ui_.text["charts.live"_t]) + ui_.px(16);
        const std::size_t middle = live.xs.size() / 2;
        const float first = chart_.plot.x + width / 2,
                    last = chart_.pixel(live.xs.back(), 0).x - width / 2;
        if (last < first) return;
        const float x = std::clamp(chart_.pixel(live.xs[middle], 0).x, first, last);
        float lowest = 1e9f;
        for (std::size_t i = 0; i < live.xs.size(); ++i)
            if (std::abs(chart_.pixel(live.xs[i], 0).x - x) <= width)
                lowest = std::min(lowest, chart_.plot.bottom() - chart_.pixel(0, live.ys[i]).y);
        const float past = chart_.pixel(live.xs.back(), 0).x - chart_.plot.x;
        if (past < 2 * width || lowest < ui_.px(28)) return;
        text_in(Painter(ui_), style,
                {std::round(x - width / 2), std::round(chart_.plot.bottom() - ui_.px(26)), width,
                 ui_.px(18)},
                ui_.text["charts.live"_t]);
    }

    const Chart& chart_;
    const Ui& ui_;
    const RunSeries& series_;
    Sample cursor_;
    CurveValues here_;
    float per_step_;
    std::size_t first_ = 0, past_end_ = 0, end_ = 0;
    bool in_view_ = false;
};

}  // namespace

void draw_curves(const Chart& chart, const RunView& run, const RunSeries& series,
                 const ChartStep& cursor, ChartKind kind, const StepRange& range) {
    const Palette& colors = chart.ui->colors;
    Curves curves(chart, run, series, cursor, range);
    switch (kind) {
        case ChartKind::Memory:
            return curves.memory();
        case ChartKind::Utilisation:
            return curves.line(RunCurve::Utilisation, colors.text, true);
        case ChartKind::HitRate:
            return curves.line(RunCurve::HitRate, colors.shared, true);
        case ChartKind::Computed:
            return curves.bars(RunCurve::Computed, mix(colors.panel, colors.text, kLiveShade));
        case ChartKind::Evicted:
            return curves.bars(RunCurve::Evicted, colors.loss.fill);
        case ChartKind::Read:
            curves.line(RunCurve::Read, colors.text2, false);
            return curves.rings();
        case ChartKind::Offloaded:
            return curves.line(RunCurve::Offloaded, colors.text2, true);
        case ChartKind::Requests:
            curves.line(RunCurve::Waiting, colors.text3, true, LineDash::Dashed);
            return curves.line(RunCurve::Running, colors.text, true);
        case ChartKind::ModelTime:
            return curves.bars(RunCurve::ModelTime, mix(colors.panel, colors.text, kLiveShade));
        case ChartKind::PerToken:
            return curves.line(RunCurve::PerToken, colors.text, false);
        case ChartKind::Time:
            curves.line(RunCurve::AttendTime, colors.text3, false, LineDash::Dashed);
            return curves.line(RunCurve::Time, colors.text, false);
    }
}

float labels_width(const Ui& ui, std::span<const ChartLabel> labels) {
    float column = 0, beside = 0, beneath = 0;
    for (const ChartLabel& label : labels) {
        const TextStyle style =
            label.strong ? sized(type::number_strong(ui), 13) : type::number(ui);
        const float value = text_width(ui, style, label.value),
                    caption = text_width(ui, type::caption(ui), label.caption);
        beneath = std::max(beneath, label.beside ? 0 : std::max(value, caption));
        if (label.beside) column = std::max(column, value), beside = std::max(beside, caption);
    }
    return std::ceil(std::max(beneath, beside > 0 ? column + ui.px(7) + beside : column));
}

void draw_key_row(const Painter& p, const RunView& run, const ChartStep& shown, ChartKind kind,
                  const Rect& row) {
    const Ui& ui = p.ui;
    const TextStyle words = colored(type::caption(ui), ui.colors.text2),
                    number = colored(type::number_small(ui), ui.colors.text);
    const CurveValues v = curve_values(shown.sample, run, shown.read);
    const float y = std::round(row.center().y), swatch = ui.px(11);
    if (kind == ChartKind::Memory) {
        fill(p, {row.x, y - std::round(swatch / 2), swatch, swatch}, ui.colors.loss.fill);
        const double waste = v[index_of(RunCurve::Allocated)] - v[index_of(RunCurve::Live)];
        const AxisUnit unit = knows_bytes(run.layout)
                                  ? unit_for_bytes(v[index_of(RunCurve::WithCached)])
                                  : AxisUnit{1, ""};
        const Text value = in_unit(waste, unit);
        const std::array runs{Run{words, ui.text["charts.waste"_t]}, Run{number, value, 6}};
        return runs_in(p, runs, {row.x + swatch + ui.px(6), row.y, row.w, row.h});
    }
    if (!knows_bytes(run.layout)) return;
    const Text product =
        fill(ui.text["charts.product_is"_t], {{"n", with_commas(shown.read.tokens)},
                                              {"bytes", with_commas(shown.read.slot)},
                                              {"sum", with_commas(shown.read.bytes())}});
    const char* const measured = ui.text["charts.measured"_t];
    hline(p, row.x, row.x + ui.px(14), y - ui.px(1), ui.colors.text2, 2);
    const Rect first{row.x + ui.px(20), row.y, row.w, row.h};
    text_in(p, words, {first.x, first.y, 0, first.h}, measured);
    const float x = first.x + std::ceil(text_width(ui, words, measured)) + ui.px(14);
    p.list.AddCircle({x, y}, ui.px(3), im(ui.colors.text), 0, std::max(1.0f, 1.6f * ui.unit));
    List<Run> runs{{words, ui.text["charts.formula"_t]}, {number, product, 6}};
    const Rect rest{x + ui.px(9), row.y, row.right() - x - ui.px(9), row.h};
    if (!shown.finished || runs_width(ui, runs) > rest.w) runs.pop_back();
    runs_in(p, runs, rest);
}

}  // namespace kv
