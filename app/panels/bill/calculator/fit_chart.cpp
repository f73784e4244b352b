// The fit curve of the calculator.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bill/calculator/fit.hpp"
#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/calculator/results.hpp"
#include "app/widgets/chart/chart.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kFitNotesFrom = 220;   // logical width of the plot from which marks have words
constexpr float kAllLabelsFrom = 460;  // logical width from which every tick has its number

void draw_fit_lines(const Chart& chart, const Ui& ui, const FitPlan& plan) {
    for (std::size_t i = plan.lines.size(); i-- > 0;) {
        const FitLine& line = plan.lines[i];
        const Color color =
            line.current ? ui.colors.text : mix(ui.colors.panel, ui.colors.text, 0.45);
        chart_line(
            chart, line.tokens, line.requests,
            {color, line.current ? 2.4f : 1.4f, line.current ? LineDash::Solid : LineDash::Dashed});
    }
}

// What a mark says stands on the side where there is room.
void draw_mark(const Chart& chart, const Ui& ui, const FitMark& mark, Marker marker, Color color) {
    if (mark.requests < 1 || mark.tokens < kLeastFitTokens) return;
    const std::array x{mark.tokens}, y{mark.requests};
    chart_markers(chart, x, y, marker, color, marker == Marker::Square ? 4.0f : 4.5f);
    if (chart.plot.w < ui.px(kFitNotesFrom)) return;
    const bool left = chart.x.share(mark.tokens) > 0.5f;
    chart_note(chart, mark.tokens, mark.requests, left ? Vec2{-9, 11} : Vec2{10, -11},
               aligned(type::number_small(ui), left ? Align::Right : Align::Left), mark.label);
}

std::vector<EndLabel> fit_labels(const FitPlan& plan) {
    std::vector<EndLabel> labels;
    for (const FitLine& line : plan.lines)
        labels.push_back(
            {std::max(1.0, line.requests.back()), line.label, line.value, line.current});
    std::sort(labels.begin(), labels.end(),
              [](const EndLabel& a, const EndLabel& b) { return a.y > b.y; });
    return labels;
}

float fit_labels_width(const Ui& ui, const std::vector<EndLabel>& labels) {
    float width = 0;
    for (const EndLabel& label : labels)
        width = std::max({width, text_width(ui, sized(type::number_strong(ui), 13), label.value),
                          text_width(ui, type::caption(ui), label.caption)});
    return std::ceil(width) + ui.px(12);
}

}  // namespace

void draw_fit(const Ui& ui, const BillView& view, float height) {
    const auto plan = plan_fit(view, ui.text);
    const std::string now = plan ? std::string(plan->now.label) : std::string();
    const float taken = draw_chart_switch(ui, ui.text["fit.to_growth"_t], now);
    if (!plan) {
        section_head(ui, ui.text["fit.title"_t]);
        space(ui, 4);
        paragraph(ui, type::body(ui), 20, ui.text["fit.none"_t]);
        return;
    }
    const std::string caption = fill(ui.text["fit.caption"_t], {{"n", with_commas(view.in.batch)}});
    List<ChartTick> x_ticks = ticks_of(plan->token_marks);
    const List<ChartTick> y_ticks = ticks_of(plan->request_marks);
    if (room_width() < ui.px(kAllLabelsFrom)) {
        for (std::size_t i = 1; i < x_ticks.size(); i += 2) x_ticks[i].label = {};
    }
    const std::vector<EndLabel> labels = fit_labels(*plan);
    ChartSpec spec;
    spec.title = ui.text["fit.title"_t];
    spec.unit = fitting_caption(ui, spec.title, caption, taken);
    spec.x = {.min = kLeastFitTokens,
              .max = plan->max_tokens,
              .log = true,
              .ticks = x_ticks,
              .grid = false};
    spec.y = {.min = 1, .max = plan->max_requests, .log = true, .ticks = y_ticks};
    spec.height = height;
    spec.label_room = fit_labels_width(ui, labels) / ui.unit;
    if (plan->now.tokens >= kLeastFitTokens) spec.playhead = plan->now.tokens;
    if (const Chart chart = begin_chart(ui, "fit", spec)) {
        draw_fit_lines(chart, ui, *plan);
        draw_mark(chart, ui, plan->now, Marker::Square, ui.colors.focus);
        if (plan->longest) draw_mark(chart, ui, *plan->longest, Marker::Ring, ui.colors.text);
        chart_end_labels(chart, labels);
        end_chart(chart);
    }
}

}  // namespace kv
