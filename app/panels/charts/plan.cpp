#include "app/panels/charts/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/real.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::array<AxisUnit, 3> kByteUnits{
    {{1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}}};
constexpr AxisUnit kSlotUnit{1, ""};
constexpr double kLargestNumber = 10'000;  // of a unit, before the next one is taken

// One decimal where there is one.
Text tenths_number(double value) {
    Text text = group_thousands(fixed(value, 1));
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

// One chart while it is put together.
class ChartPlanner {
public:
    ChartPlanner(ChartKind kind, const ChartsAsk& ask, const Texts& text)
        : ask_(ask), text_(text), shown_(ask.shown.sample) {
        chart_.kind = kind;
    }

    RunChart plan() {
        switch (chart_.kind) {
            case ChartKind::Memory:
                memory();
                break;
            case ChartKind::Utilisation:
                head("utilisation", "charts.utilisation"_t, text_["charts.utilisation.unit"_t]);
                shares(1);
                share_label(shown_.live_tokens, shown_.allocated_slots);
                break;
            case ChartKind::HitRate:
                head("prefix", "charts.prefix"_t, text_["charts.prefix.unit"_t]);
                shares(top(RunCurve::HitRate));
                share_label(shown_.totals.prefix_hits, shown_.totals.prefix_queries);
                break;
            case ChartKind::Computed:
                computed();
                break;
            case ChartKind::Evicted:
                evicted();
                break;
            case ChartKind::Read:
                read();
                break;
            case ChartKind::Offloaded:
                offloaded();
                break;
            case ChartKind::Requests:
                requests();
                break;
            case ChartKind::ModelTime:
                model_time();
                break;
            case ChartKind::Time:
                time();
                break;
            case ChartKind::PerToken:
                per_token();
                break;
        }
        return std::move(chart_);
    }

private:
    void head(const char* id, TextId title, Text unit) {
        chart_.id = id, chart_.title = text_[title], chart_.unit = std::move(unit);
    }

    // The greatest value in view, the one at the cursor among them.
    double top(RunCurve curve) const {
        const std::size_t first = ask_.series.first_at(ask_.range.first);
        const std::size_t last = ask_.series.first_at(ask_.range.last + 1);
        const double high = ask_.series.of(curve).of(first, last).high;
        const double here =
            curve_values(shown_, ask_.run, ask_.shown.read, ask_.shown.times)[index_of(curve)];
        return std::max(std::isnan(high) ? 0 : high, std::isnan(here) ? 0 : here);
    }

    struct AxisAsk {
        double max;
        int intervals = 2;
        bool binary = false;  // round numbers of a power of two
        double unit = 1;      // in which the marks are round
    };
    template <class Words>
    void axis(const AxisAsk& ask, Words words) {
        const List<double> ticks = round_ticks(ask.max / ask.unit, ask.intervals, ask.binary);
        chart_.y_marks.reserve(ticks.size());
        for (const double at : ticks) chart_.y_marks.push_back({at * ask.unit, words(at), false});
        chart_.y_max = chart_.y_marks.back().at;
    }

    void counts(double max) {
        axis({.max = std::max(1.0, max)}, [](double at) {
            return at == std::floor(at) ? with_commas(static_cast<std::uint64_t>(at)) : "";
        });
    }

    void shares(double max) {
        axis({.max = std::max(max, 0.01), .unit = 0.01},
             [](double at) { return tenths_number(at) + "%"; });
    }

    void share_label(std::uint64_t part, std::uint64_t of) {
        if (of == 0) return;
        const double share = real(part) / real(of);
        chart_.labels.push_back(
            {.y = share,
             .value = fixed(100 * share, 1) + "%",
             .caption = fill(text_["charts.fraction"_t],
                             {{"part", with_commas(part)}, {"of", with_commas(of)}}),
             .strong = true});
    }

    void bytes_axis(double max, int intervals, const AxisUnit& unit) {
        axis({.max = std::max(max, unit.size),
              .intervals = intervals,
              .binary = true,
              .unit = unit.size},
             [](double at) { return tenths_number(at); });
    }

    void memory() {
        const double max = top(RunCurve::WithCached);
        const bool bytes_known = knows_bytes(ask_.run.layout);
        const AxisUnit unit = bytes_known ? unit_for_bytes(max) : kSlotUnit;
        head("memory", "charts.memory"_t, bytes_known ? Text(unit.name) : text_["trace.slots"_t]);
        chart_.of_value = unit.name;
        if (bytes_known)
            bytes_axis(max, 3, unit);
        else
            counts(max);
        const CurveValues v = curve_values(shown_, ask_.run);
        const auto label = [&](RunCurve curve, TextId caption, bool strong) {
            const double held = v[index_of(curve)];
            chart_.labels.push_back({.y = held,
                                     .value = in_unit(held, unit),
                                     .caption = text_[caption],
                                     .strong = strong,
                                     .beside = ask_.mini || strong});
        };
        label(RunCurve::WithCached, "charts.with_cached"_t, false);
        label(RunCurve::Allocated, ask_.mini ? "charts.allocated"_t : "charts.alloc"_t, true);
        label(RunCurve::Live, "charts.live"_t, false);
    }

    void computed() {
        head("computed", "charts.computed"_t, text_["charts.computed.unit"_t]);
        counts(top(RunCurve::Computed));
        if (!ask_.shown.finished) return;
        chart_.labels.push_back({.y = real(shown_.tokens),
                                 .value = with_commas(shown_.tokens),
                                 .caption = fill(text_["charts.in_all"_t],
                                                 {{"n", with_commas(ask_.shown.computed_all)}}),
                                 .strong = true});
    }

    void evicted() {
        const std::uint32_t tables = ask_.run.lanes.n_lanes();
        head("evicted", "charts.evicted"_t,
             tables == 1 ? text_["charts.computed.unit"_t]
                         : fill(text_["charts.evicted.tables"_t], {{"n", with_commas(tables)}}));
        counts(top(RunCurve::Evicted));
        if (!ask_.shown.finished) return;
        chart_.labels.push_back(
            {.y = real(shown_.step.tokens_dropped),
             .value = with_commas(shown_.step.tokens_dropped),
             .caption =
                 fill(text_["charts.in_all"_t], {{"n", with_commas(shown_.totals.tokens_dropped)}}),
             .strong = true});
    }

    void read() {
        if (!knows_bytes(ask_.run.layout)) return read_of_record();
        const double max = std::max(top(RunCurve::Read), top(RunCurve::Formula));
        const AxisUnit unit = unit_for_bytes(max);
        head("read", "charts.read"_t,
             fill(text_[ask_.mini ? "charts.per_step"_t : "charts.rings"_t],
                  {{"unit", Text(unit.name)}}));
        chart_.of_value = unit.name;
        bytes_axis(max, 2, unit);
        if (!ask_.shown.finished) return;
        const StepRead& by_formula = ask_.shown.read;
        const bool same = by_formula.bytes() == shown_.kv_bytes_read;
        Text caption =
            same ? fill(text_["charts.product"_t], {{"n", with_commas(by_formula.tokens)},
                                                    {"bytes", with_commas(by_formula.slot)}})
                 : fill(text_["charts.not_formula"_t],
                        {{"n", in_unit(real(by_formula.bytes()), unit)}});
        if (ask_.mini && same) caption.clear();
        const double bytes = real(shown_.kv_bytes_read);
        chart_.labels.push_back({.y = bytes,
                                 .value = in_unit(bytes, unit),
                                 .caption = std::move(caption),
                                 .strong = true,
                                 .loss = !same});
    }

    // A file of events may say what was read; what the formula would say it does not.
    void read_of_record() {
        const double most = ask_.series.of(RunCurve::Read).of(0, ask_.series.size()).high;
        const bool is_known = most > 0;
        const AxisUnit unit = unit_for_bytes(is_known ? top(RunCurve::Read) : 0);
        head("read", "charts.read"_t, is_known ? Text(unit.name) : text_["trace.no_reads"_t]);
        chart_.of_value = unit.name;
        bytes_axis(is_known ? top(RunCurve::Read) : 0, 2, unit);
        if (!is_known || !ask_.shown.finished) return;
        const double bytes = real(shown_.kv_bytes_read);
        chart_.labels.push_back({.y = bytes, .value = in_unit(bytes, unit), .strong = true});
    }

    void offloaded() {
        head("offloaded", "charts.offloaded"_t, text_["charts.offloaded.unit"_t]);
        const std::uint64_t places = ask_.run.now.host.size();
        chart_.y_max = real(places);
        chart_.y_marks = {{0, "0", false}, {chart_.y_max, with_commas(places), false}};
        if (places % 2 == 0) chart_.y_marks.push_back({real(places / 2), with_commas(places / 2)});
        chart_.labels.push_back(
            {.y = real(shown_.host_blocks),
             .value = with_commas(shown_.host_blocks),
             .caption = fill(text_["charts.of"_t], {{"n", with_commas(places)}}),
             .strong = true});
    }

    void requests() {
        head("requests", "charts.requests"_t, text_["charts.requests.unit"_t]);
        counts(std::max(top(RunCurve::Running), top(RunCurve::Waiting)));
        chart_.labels.push_back({.y = real(shown_.running),
                                 .value = with_commas(shown_.running),
                                 .caption = text_["charts.running"_t],
                                 .strong = true,
                                 .beside = true});
        chart_.labels.push_back({.y = real(shown_.waiting),
                                 .value = with_commas(shown_.waiting),
                                 .caption = text_["charts.waiting"_t],
                                 .beside = true});
    }

    void model_time() {
        head("model_time", "charts.model_time"_t, text_["charts.time.modelled"_t]);
        chart_.of_value = text_["charts.ms"_t];
        axis({.max = std::max(1.0, top(RunCurve::ModelTime))},
             [](double at) { return tenths_number(at); });
        if (!ask_.shown.finished) return;
        const double ms = shown_.model_us / 1000;
        chart_.labels.push_back({.y = ms, .value = tenths_number(ms), .strong = true});
    }

    void per_token() {
        const double most = top(RunCurve::PerToken);
        const AxisUnit unit = unit_for_bytes(most);
        head("per_token", "charts.per_token"_t, Text(unit.name));
        chart_.of_value = unit.name;
        bytes_axis(most, 2, unit);
        if (!ask_.shown.finished || shown_.step.new_tokens == 0) return;
        const double bytes = real(shown_.kv_bytes_read) / real(shown_.step.new_tokens);
        chart_.labels.push_back({.y = bytes,
                                 .value = in_unit(bytes, unit),
                                 .caption = fill(text_["charts.per_token.of"_t],
                                                 {{"n", with_commas(shown_.step.new_tokens)}}),
                                 .strong = true});
    }

    void time() {
        head("time", "charts.time"_t, text_["charts.time.unit"_t]);
        chart_.of_value = text_["charts.us"_t];
        const double most = top(RunCurve::Time);
        axis({.max = std::max(1.0, most)}, [](double at) { return tenths_number(at); });
        const StepTimes& times = ask_.shown.times;
        if (!ask_.shown.finished || times.us <= 0) return;
        const auto whole = [](double us) { return group_thousands(fixed(us, 0)); };
        chart_.labels.push_back({.y = times.us,
                                 .value = whole(times.us),
                                 .caption = text_["charts.time.all"_t],
                                 .strong = true,
                                 .beside = true});
        chart_.labels.push_back({.y = times.attention_us,
                                 .value = whole(times.attention_us),
                                 .caption = text_["charts.time.attention"_t],
                                 .beside = true});
    }

    const ChartsAsk& ask_;
    const Texts& text_;
    const Sample& shown_;
    RunChart chart_;
};

}  // namespace

StepRange whole_range(const RunSeries& series) {
    if (series.size() == 0) return {};
    const double first = series.iteration(0), last = series.iteration(series.size() - 1);
    return {first, std::max(last, first + 1)};
}

std::optional<StepRange> zoom_between(double a, double b, const StepRange& whole) {
    StepRange range{std::round(std::min(a, b)), std::round(std::max(a, b))};
    range.last = std::min(std::max(range.last, range.first + 1), whole.last);
    range.first = std::max(whole.first, std::min(range.first, range.last - 1));
    if (range.first <= whole.first && range.last >= whole.last) return std::nullopt;
    return range;
}

ChartStep shown_step(const RunView& run, const RunSeries& series, const RunHistory& history,
                     std::optional<std::uint32_t> pointed) {
    ChartStep shown;
    const auto take_totals = [&](std::size_t i) {
        shown.finished = true;
        shown.read = read_in(run.samples[i], run, history);
        shown.computed_all = series.computed_until(i);
        shown.times = history.times(series.iteration(i));
    };
    if (pointed) {
        const std::size_t i = series.first_at(*pointed);
        if (i < series.size() && series.iteration(i) == *pointed) {
            shown.sample = run.samples[i];
            take_totals(i);
            return shown;
        }
    }
    shown.sample = sample_at_cursor(run);
    if (const Sample* finished = last_finished(run))
        take_totals(static_cast<std::size_t>(finished - run.samples.data()));
    return shown;
}

List<ChartKind> chart_kinds(const RunView& run, bool mini) {
    if (mini) return {ChartKind::Memory, ChartKind::Read};
    const bool drops = run.trace.end().counters.tokens_dropped > 0;
    const bool drafts = run.trace.end().counters.drafts > 0;
    List<ChartKind> kinds{
        ChartKind::Memory,
        ChartKind::Utilisation,
        ChartKind::HitRate,
        drops ? ChartKind::Evicted : drafts ? ChartKind::PerToken : ChartKind::Computed,
        ChartKind::Read,
        run.now.host.size() > 0 ? ChartKind::Offloaded : ChartKind::Requests};
    if (run.trace.end().counters.blocks_loaded > 0) kinds.push_back(ChartKind::ModelTime);
    if (run.roofs.state == MachineRoofs::State::Measured) kinds.push_back(ChartKind::Time);
    return kinds;
}

RunChart plan_chart(ChartKind kind, const ChartsAsk& ask, const Texts& text) {
    return ChartPlanner(kind, ask, text).plan();
}

List<AxisMark> step_marks(const StepRange& range, std::optional<std::uint32_t> strong,
                          double per_step, double apart) {
    List<AxisMark> marks;
    marks.reserve(4);
    const auto add = [&](double at, bool bold) {
        if (at < range.first || at > range.last) return;
        for (const AxisMark& mark : marks)
            if (std::abs(mark.at - at) * per_step < apart) return;
        marks.push_back({at, with_commas(static_cast<std::uint64_t>(at)), bold});
    };
    if (strong) add(*strong, true);
    add(range.first, false);
    add(range.last, false);
    add(std::floor((range.first + range.last) / 2), false);
    return marks;
}

AxisUnit unit_for_bytes(double max) {
    for (const AxisUnit& unit : kByteUnits)
        if (max / unit.size <= kLargestNumber) return unit;
    return kByteUnits.back();
}

Text in_unit(double bytes, const AxisUnit& unit) {
    return tenths_number(bytes / unit.size);
}

}  // namespace kv
