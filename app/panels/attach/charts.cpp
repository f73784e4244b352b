// What the server's own metrics say, sampled at each poll, and what follows from its events.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/axes.hpp"
#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/hit.hpp"
#include "core/attach/picture/facts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLeastChartW = 220, kLeastChartH = 112, kChartGap = 14, kHeadH = 36;
constexpr float kBeforeLabel = 12, kLeastLabel = 84, kMostLabel = 150;

struct Series {
    List<double> t = {}, v = {};  // seconds since the stream began
};

struct MetricChart {
    Series series = {};
    Text title = {}, caption = {}, value = {}, more = {};
    NumberSource source = NumberSource::Sampled;
    bool loss = false, share = false;
};

// The first of these names that the server has.
const MetricTrack* track_of(const ServerView& s, std::span<const std::string_view> names) {
    for (const std::string_view name : names)
        if (const MetricTrack* track = s.track(name)) return track;
    return nullptr;
}

constexpr std::array<std::string_view, 2> kUsage{"vllm:kv_cache_usage_perc", "sglang:token_usage"};
constexpr std::array<std::string_view, 2> kRunning{"vllm:num_requests_running",
                                                   "sglang:num_running_reqs"};
constexpr std::array<std::string_view, 2> kWaiting{"vllm:num_requests_waiting",
                                                   "sglang:num_queue_reqs"};

template <class Points>  // moments and values
Series series_through(const ServerView& s, const Points& points) {
    Series series;
    for (const auto& [at, value] : points) {
        series.t.push_back(at - s.tank.start_s);
        series.v.push_back(value);
    }
    return series;
}

Series series_of(const ServerView& s, std::uint64_t RateBin::*counted) {
    Series series;
    for (const RateBin& bin : s.tank.rates) {
        series.t.push_back(static_cast<double>(bin.number) * RateBin::kSeconds - s.tank.start_s);
        series.v.push_back(static_cast<double>(bin.*counted) / RateBin::kSeconds);
    }
    return series;
}

Text percent_of(const Texts& t, double share) {
    return fill(t["attach.percent"_t], {{"n", fixed(100 * share, 1)}});
}

void add_hit_rate(const Texts& t, const ServerView& s, List<MetricChart>& charts) {
    MetricChart chart{.series = {}, .title = t["attach.chart.hit_rate"_t], .share = true};
    const HitTracks tracks = hit_tracks_of(s.tank.tracks, s.rank);
    if (!tracks.any()) return;
    chart.series = series_through(s, hit_rates_of(tracks));
    if (tracks.share != nullptr) {
        chart.caption = tracks.share->name;
    } else {
        const auto &hits = *tracks.hits, &queries = *tracks.queries;
        if (hits.points.empty() || queries.points.empty()) return;
        chart.caption = fill(t["attach.chart.hit_rate.of"_t], {{"name", hits.name}});
        const auto whole = [](double n) { return with_commas(static_cast<std::uint64_t>(n)); };
        chart.more = fill(t["attach.chart.hits"_t], {{"n", whole(hits.points.back().second)},
                                                     {"of", whole(queries.points.back().second)}});
    }
    if (!chart.series.v.empty()) chart.value = percent_of(t, chart.series.v.back());
    charts.push_back(std::move(chart));
}

List<MetricChart> metric_charts(const Texts& t, const ServerView& s) {
    List<MetricChart> charts;
    const auto sampled = [&](std::span<const std::string_view> names, int decimals) {
        const MetricTrack* track = track_of(s, names);
        if (track == nullptr) return;
        MetricChart chart{.series = series_through(s, track->points),
                          .title = track->name,
                          .caption = t["attach.chart.sampled"_t]};
        if (!chart.series.v.empty()) chart.value = fixed(chart.series.v.back(), decimals);
        charts.push_back(std::move(chart));
    };
    sampled(kUsage, 3);
    sampled(kRunning, 0);
    sampled(kWaiting, 0);
    add_hit_rate(t, s, charts);
    std::uint64_t removed = 0, again = 0;
    for (const RankCard& card : s.tank.ranks)
        if (card.rank.rank == s.rank)
            removed = card.rank.blocks_removed, again = card.rank.tokens_again;
    const auto counted = [&](std::uint64_t RateBin::*what, TextId title, TextId caption,
                             std::uint64_t all, bool loss) {
        MetricChart chart{.series = series_of(s, what),
                          .title = t[title],
                          .caption = t[caption],
                          .more = fill(t["attach.chart.in_all"_t], {{"n", with_commas(all)}}),
                          .source = exact_of(s),
                          .loss = loss};
        if (!chart.series.v.empty())
            chart.value =
                with_commas(static_cast<std::uint64_t>(std::llround(chart.series.v.back())));
        charts.push_back(std::move(chart));
    };
    counted(&RateBin::removed, "attach.chart.removed"_t, "attach.chart.removed.of"_t, removed,
            false);
    counted(&RateBin::tokens_again, "attach.chart.again"_t, "attach.chart.again.of"_t, again, true);
    return charts;
}

void draw_chart_head(const Painter& p, const MetricChart& chart, const Rect& room) {
    const Ui& ui = p.ui;
    const bool is_name = chart.title.find(':') != Text::npos;
    const TextStyle title = is_name ? sized(type::number_strong(ui), 13) : type::section(ui);
    text_in(p, title, {room.x, room.y, room.w, ui.px(19)}, chart.title);
    source_mark(p, {room.x + ui.px(4), room.y + ui.px(27)}, chart.source);
    text_in(p, type::caption(ui),
            {room.x + ui.px(14), room.y + ui.px(19), room.w - ui.px(14), ui.px(16)}, chart.caption);
}

void draw_series(const Chart& plot, const MetricChart& chart) {
    const Ui& ui = *plot.ui;
    const Series& s = chart.series;
    const Color color = chart.loss ? ui.colors.loss.ink : ui.colors.text2;
    if (chart.source == NumberSource::Sampled) {
        chart_line(plot, s.t, s.v, {.color = color, .steps = true});
        constexpr std::size_t kFewPolls = 80;
        if (s.t.size() <= kFewPolls) chart_markers(plot, s.t, s.v, Marker::Circle, color, 1.5f);
    } else {
        const List<double> zero(s.t.size(), 0.0);
        chart_area(
            plot, s.t, zero, s.v,
            mix(ui.colors.panel, chart.loss ? ui.colors.loss.fill : ui.colors.cached.fill, 0.5),
            true);
        chart_line(plot, s.t, s.v, {.color = color, .steps = true});
    }
}

// What all charts have in common.
struct SharedAxes {
    StreamSpan span;
    double now = 0;
    float label_room = 0;  // logical pixels
};

// As the longest count needs it.
float label_room_of(const Ui& ui, const List<MetricChart>& charts) {
    float longest = 0;
    for (const MetricChart& chart : charts)
        longest = std::max(longest, text_width(ui, type::caption(ui), chart.more));
    return std::clamp(std::ceil(longest / ui.px(1)) + kBeforeLabel, kLeastLabel, kMostLabel);
}

void draw_metric_chart(const Ui& ui, const MetricChart& chart, const SharedAxes& shared,
                       const Rect& room, std::size_t i) {
    const Painter p(ui);
    draw_chart_head(p, chart, {room.x, room.y, room.w, ui.px(kHeadH)});
    ImGui::SetCursorScreenPos({room.x, room.y + ui.px(kHeadH)});
    const StreamAxes axes(ui.text, shared.span, shared.now, chart.share,
                          highest_of(chart.series.v));
    const ChartSpec spec = axes.spec(room.w, room.h - ui.px(kHeadH), shared.label_room);
    if (Chart plot = begin_chart(ui, PartId(i).c_str(), spec)) {
        draw_series(plot, chart);
        const double last = chart.series.v.empty() ? 0 : chart.series.v.back();
        const EndLabel end{.y = last,
                           .value = chart.value,
                           .caption = chart.more,
                           .strong = true,
                           .color = chart.loss ? std::optional(ui.colors.loss.ink) : std::nullopt};
        if (!chart.value.empty()) chart_end_labels(plot, std::span(&end, 1));
        end_chart(plot);
    }
}

}  // namespace

void draw_attach_charts(const Ui& ui, AttachUi& own) {
    const Flush flush;
    if (!own.shows_server()) return draw_no_server(ui, "attach.nothing"_t, "attach.nothing.why"_t);
    const ServerView& s = *own.view;
    const List<MetricChart> charts = metric_charts(ui.text, s);
    const Rect room = panel_room();
    const float gap = ui.px(kChartGap);
    const auto columns = static_cast<std::size_t>(
        std::clamp(std::floor((room.w + gap) / (ui.px(kLeastChartW) + gap)), 1.0f,
                   static_cast<float>(std::min<std::size_t>(3, charts.size()))));
    const std::size_t rows = (charts.size() + columns - 1) / columns;
    const float w = std::floor((room.w + gap) / static_cast<float>(columns)) - gap;
    const float h = std::max(ui.px(kLeastChartH),
                             std::floor((room.h - ui.px(4)) / static_cast<float>(rows)) - ui.px(6));
    SharedAxes shared{stream_span(s), s.tank.now_s - s.tank.start_s, label_room_of(ui, charts)};
    shared.span.from_s -= s.tank.start_s, shared.span.to_s -= s.tank.start_s;
    for (std::size_t i = 0; i < charts.size(); ++i) {
        const std::size_t row = i / columns, column = i % columns;
        const Rect at{room.x + static_cast<float>(column) * (w + gap),
                      room.y + static_cast<float>(row) * (h + ui.px(6)), w, h};
        draw_metric_chart(ui, charts[i], shared, at, i);
    }
    ImGui::SetCursorScreenPos({room.x, room.y});
    ImGui::Dummy({room.w, static_cast<float>(rows) * (h + ui.px(6))});
}

}  // namespace kv
