// Curves of both servers, two a chart: one axis of time and one of values. The left one has squares
// and the right one circles.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/axes.hpp"
#include "app/panels/attach/paint.hpp"
#include "app/panels/compare_servers/axis.hpp"
#include "app/panels/compare_servers/panels.hpp"
#include "app/panels/compare_servers/words.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kLeastPairW = 260, kLeastPairH = 112, kPairGap = 14, kPairHead = 36,
                kPairLabels = 76;

struct PairLine {
    List<double> t, v;  // seconds on the axis
    Text value;
};
struct PairChart {
    Text title = {}, caption = {};
    std::array<PairLine, 2> sides = {};
    std::array<NumberSource, 2> sources{};
    bool share = false;
};

class Curves {
public:
    Curves(const Texts& text, const ServerView& left, const ServerView& right, const PairAxis& axis)
        : text_(text),
          views_{&left, &right},
          zeros_{axis.zero_s, axis.zero_s + axis.right_later_s} {}

    List<PairChart> all() {
        hits();
        usage();
        rates("attach.chart.removed"_t, "attach.chart.removed.of"_t, &RateBin::removed);
        rates("attach.chart.again"_t, "attach.chart.again.of"_t, &RateBin::tokens_again);
        return std::move(charts_);
    }

private:
    Text percent(double share) const {
        return fill(text_["attach.percent"_t], {{"n", fixed(100 * share, 1)}});
    }
    template <class Points>
    void put(PairChart& chart, std::size_t side, const Points& points) const {
        PairLine& line = chart.sides[side];
        for (const auto& [at, value] : points) {
            line.t.push_back(at - zeros_[side]);
            line.v.push_back(value);
        }
        if (!line.v.empty()) line.value = percent(line.v.back());
    }
    void add(PairChart chart) {
        if (!chart.sides[0].v.empty() || !chart.sides[1].v.empty())
            charts_.push_back(std::move(chart));
    }
    void hits() {
        PairChart chart{.title = text_["attach.chart.hit_rate"_t],
                        .caption = text_["servers.chart.hits"_t],
                        .sources = {NumberSource::Sampled, NumberSource::Sampled},
                        .share = true};
        for (std::size_t i = 0; i < 2; ++i)
            put(chart, i, hit_rates_of(hit_tracks_of(views_[i]->tank.tracks, views_[i]->rank)));
        add(std::move(chart));
    }
    void usage() {
        PairChart chart{.title = text_["servers.chart.usage"_t],
                        .caption = text_["attach.chart.sampled"_t],
                        .sources = {NumberSource::Sampled, NumberSource::Sampled},
                        .share = true};
        for (std::size_t i = 0; i < 2; ++i)
            for (const char* name : {"vllm:kv_cache_usage_perc", "sglang:token_usage"})
                if (const MetricTrack* track = views_[i]->track(name);
                    track && chart.sides[i].v.empty())
                    put(chart, i, track->points);
        add(std::move(chart));
    }
    void rates(TextId title, TextId caption, std::uint64_t RateBin::*counted) {
        PairChart chart{.title = text_[title], .caption = text_[caption]};
        for (std::size_t i = 0; i < 2; ++i) {
            PairLine& line = chart.sides[i];
            chart.sources[i] = exact_of(*views_[i]);
            for (const RateBin& bin : views_[i]->tank.rates) {
                line.t.push_back(static_cast<double>(bin.number) * RateBin::kSeconds - zeros_[i]);
                line.v.push_back(static_cast<double>(bin.*counted) / RateBin::kSeconds);
            }
            if (!line.v.empty())
                line.value = with_commas(static_cast<std::uint64_t>(std::round(line.v.back())));
        }
        add(std::move(chart));
    }

    const Texts& text_;
    std::array<const ServerView*, 2> views_;
    std::array<double, 2> zeros_;
    List<PairChart> charts_;
};

void draw_pair_head(const Painter& p, const PairChart& chart, const Rect& room) {
    const Ui& ui = p.ui;
    text_in(p, type::section(ui), {room.x, room.y, room.w, ui.px(19)}, chart.title);
    float x = room.x + ui.px(4);
    source_mark(p, {x, room.y + ui.px(27)}, chart.sources[0]);
    // Where one side misses batches and the other one none, each has its mark.
    if (chart.sources[0] != chart.sources[1])
        source_mark(p, {x += ui.px(10), room.y + ui.px(27)}, chart.sources[1]);
    text_in(p, type::caption(ui),
            {x + ui.px(10), room.y + ui.px(19), room.right() - x - ui.px(10), ui.px(16)},
            chart.caption);
}

// Draws the line of a pair with at most so many marks; those of the sides stand between each other.
void draw_pair_line(const Chart& plot, const PairLine& line, std::size_t side) {
    constexpr std::array kMarkers{Marker::Square, Marker::Circle};
    constexpr std::size_t kMarks = 10;
    const std::array colors{plot.ui->colors.text2, plot.ui->colors.text};
    chart_line(plot, line.t, line.v, {.color = colors[side], .steps = true});
    const std::size_t step = std::max<std::size_t>(1, line.t.size() / kMarks);
    for (std::size_t i = side * step / 2; i < line.t.size(); i += step)
        chart_markers(plot, std::span(line.t).subspan(i, 1), std::span(line.v).subspan(i, 1),
                      kMarkers[side], colors[side], 3);
}

void draw_pair_labels(const Chart& plot, const PairChart& chart) {
    constexpr std::array kMarkers{Marker::Square, Marker::Circle};
    const std::array colors{plot.ui->colors.text2, plot.ui->colors.text};
    List<EndLabel> labels;
    for (std::size_t i = 0; i < 2; ++i)
        if (!chart.sides[i].v.empty())
            labels.push_back({.y = chart.sides[i].v.back(),
                              .value = chart.sides[i].value,
                              .strong = true,
                              .color = colors[i],
                              .marker = kMarkers[i]});
    chart_end_labels(plot, labels);
}

void draw_pair_chart(const Ui& ui, const PairChart& chart, const StreamSpan& span, double now,
                     const Rect& room, std::size_t i) {
    const Painter p(ui);
    draw_pair_head(p, chart, {room.x, room.y, room.w, ui.px(kPairHead)});
    ImGui::SetCursorScreenPos({room.x, room.y + ui.px(kPairHead)});
    const double highest = std::max(highest_of(chart.sides[0].v), highest_of(chart.sides[1].v));
    const StreamAxes axes(ui.text, span, now, chart.share, highest);
    const ChartSpec spec = axes.spec(room.w, room.h - ui.px(kPairHead), kPairLabels);
    if (Chart plot = begin_chart(ui, PartId(i).c_str(), spec)) {
        for (std::size_t side = 0; side < 2; ++side) draw_pair_line(plot, chart.sides[side], side);
        draw_pair_labels(plot, chart);
        end_chart(plot);
    }
}

}  // namespace

void draw_servers_charts(const Ui& ui, const AttachUi& own) {
    const Flush flush;
    if (!own.compares()) return draw_no_server(ui, "servers.nothing"_t, "servers.nothing.why"_t);
    const PairAxis axis = pair_axis(*own.view, *own.other);
    const List<PairChart> charts = Curves(ui.text, *own.view, *own.other, axis).all();
    const Rect room = panel_room();
    if (charts.empty()) return draw_no_server(ui, "servers.silent"_t, "servers.silent.why"_t);
    const float gap = ui.px(kPairGap);
    const auto columns =
        static_cast<std::size_t>(std::clamp(std::floor((room.w + gap) / (ui.px(kLeastPairW) + gap)),
                                            1.0f, static_cast<float>(charts.size())));
    // Four in two rows rather than three and one.
    const std::size_t across = charts.size() == 4 && columns == 3 ? 2 : columns;
    const std::size_t rows = (charts.size() + across - 1) / across;
    const float w = std::floor((room.w + gap) / static_cast<float>(across)) - gap;
    const float h = std::max(ui.px(kLeastPairH),
                             std::floor((room.h - ui.px(4)) / static_cast<float>(rows)) - ui.px(6));
    const StreamSpan span{axis.left.from_s - axis.zero_s, axis.left.to_s - axis.zero_s};
    for (std::size_t i = 0; i < charts.size(); ++i) {
        const std::size_t column = i % across, row = i / across;
        const Rect at{room.x + static_cast<float>(column) * (w + gap),
                      room.y + static_cast<float>(row) * (h + ui.px(6)), w, h};
        draw_pair_chart(ui, charts[i], span, own.view->tank.now_s - axis.zero_s, at, i);
    }
    ImGui::SetCursorScreenPos({room.x, room.y});
    ImGui::Dummy({room.w, static_cast<float>(rows) * (h + ui.px(6))});
}

}  // namespace kv
