// The growth curve of the calculator.

#include "app/widgets/chart/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/bill/calculator/growth.hpp"
#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/calculator/results.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kNotesFrom = 220;     // logical width of the plot from which the ring has a number
constexpr float kLabelsBeside = 460;  // logical width from which labels of lines take one row

Color line_color(const Ui& ui, const GrowthLine& line) {
    return line.current ? ui.colors.text : mix(ui.colors.panel, ui.colors.text, 0.45);
}

// The ring where the cache is as large as the weights, and at how many tokens.
void draw_crossover(const Chart& chart, const Ui& ui, u64 tokens, double weights,
                    const GrowthPlan& plan) {
    const std::array x{static_cast<double>(tokens)}, y{weights};
    chart_markers(chart, x, y, Marker::Ring, ui.colors.text, 4.5f);
    if (chart.plot.w < ui.px(kNotesFrom)) return;  // no room for words between the lines
    const bool early = x[0] < 0.3 * plan.max_tokens;
    chart_note(chart, x[0], y[0], early ? Vec2{10, 11} : Vec2{-8, -12},
               aligned(type::number_small(ui), early ? Align::Left : Align::Right),
               value_text(Value{tokens}, "tokens"));
}

void draw_growth_marks(const Chart& chart, const Ui& ui, const GrowthPlan& plan) {
    const double weights = static_cast<double>(plan.weights);
    if (plan.crossover) draw_crossover(chart, ui, *plan.crossover, weights, plan);
    const std::array x{static_cast<double>(plan.now.resident_tokens)};
    const std::array y{static_cast<double>(plan.now.bytes)};
    chart_markers(chart, x, y, Marker::Square, ui.colors.focus, 4);
}

// The value at the square, at the right end of the chart's head. Its width.
float draw_now(const Ui& ui, const std::string& now) {
    if (now.empty()) return 0;
    const Painter p(ui);
    const TextStyle style = sized(type::number_strong(ui), 13);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::ceil(text_width(ui, style, now)), side = ui.px(8);
    const float right = std::floor(at.x) + room_width();
    const Rect line{right - width, std::floor(at.y), width, ui.px(20)};
    text_in(p, style, line, now);
    fill(p, {line.x - ui.px(7) - side, line.y + std::floor((line.h - side) / 2), side, side},
         ui.colors.focus);
    return width + ui.px(7) + side;
}

// Name and slope of every line, and the level of the weights. In one row where there is room.
std::vector<EndLabel> growth_labels(const Ui& ui, const GrowthPlan& plan,
                                    const std::string& weights) {
    const bool beside = room_width() >= ui.px(kLabelsBeside);
    std::vector<EndLabel> labels;
    for (const GrowthLine& line : plan.lines)
        labels.push_back({line.bytes.back(), line.label, line.slope, line.current, beside});
    labels.push_back(
        {static_cast<double>(plan.weights), weights, ui.text["growth.weights"_t], false, beside});
    std::sort(labels.begin(), labels.end(),
              [](const EndLabel& a, const EndLabel& b) { return a.y > b.y; });
    return labels;
}

float labels_width(const Ui& ui, const std::vector<EndLabel>& labels) {
    float width = 0;
    for (const EndLabel& label : labels) {
        const float value = text_width(ui, sized(type::number_strong(ui), 13), label.value);
        const float caption = text_width(ui, type::caption(ui), label.caption);
        width =
            std::max(width, label.beside ? value + ui.px(6) + caption : std::max(value, caption));
    }
    return std::ceil(width) + ui.px(12);
}

// The shorter caption, or none, gives the value of now its room.
std::string_view caption_for(const Ui& ui, const GrowthPlan& plan, float taken) {
    const std::string_view title = ui.text["growth.title"_t], plain = ui.text["growth.caption"_t];
    if (!plan.crossover) return fitting_caption(ui, title, plain, taken);
    const std::string_view ring =
        fitting_caption(ui, title, ui.text["growth.caption_ring"_t], taken);
    return ring.empty() ? fitting_caption(ui, title, plain, taken) : ring;
}

void draw_lines(const Chart& chart, const Ui& ui, const GrowthPlan& plan) {
    const double weights = static_cast<double>(plan.weights);
    const std::array<double, 2> ends{0, plan.max_tokens}, level{weights, weights};
    chart_line(chart, ends, level, {ui.colors.text3, 1.2f, LineDash::Dashed});
    for (const GrowthLine& line : plan.lines)
        chart_line(chart, line.tokens, line.bytes,
                   {line_color(ui, line), line.current ? 2.4f : 1.4f,
                    line.ghost ? LineDash::Dashed : LineDash::Solid});
    draw_growth_marks(chart, ui, plan);
}

}  // namespace

std::string_view fitting_caption(const Ui& ui, std::string_view title, std::string_view caption,
                                 float taken) {
    const float words = text_width(ui, type::section(ui), title) + ui.px(34) +
                        text_width(ui, type::caption(ui), caption);
    return words + taken <= room_width() ? caption : std::string_view{};
}

float draw_chart_switch(const Ui& ui, std::string_view to, const std::string& now) {
    constexpr float kBeforeNow = 18;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float value = draw_now(ui, now);
    const float words = std::ceil(text_width(ui, type::caption(ui), to));
    const float taken = value + words + (value > 0 ? ui.px(kBeforeNow) : 0);
    ImGui::SetCursorScreenPos({std::floor(at.x) + room_width() - taken, at.y});
    if (link(ui, "chart", to)) ui.out.push("bill.chart");
    ImGui::SetCursorScreenPos(at);
    return taken;
}

float least_growth_height(const Ui& ui) {
    return ui.px(room_width() >= ui.px(kLabelsBeside) ? 150 : 206);
}

void draw_growth(const Ui& ui, const BillView& view, float height) {
    const auto plan = plan_growth(view, ui.text);
    if (!plan) {
        draw_chart_switch(ui, ui.text["growth.to_fit"_t], "");
        section_head(ui, ui.text["growth.title"_t]);
        paragraph(ui, type::body(ui), 20, ui.text["growth.none"_t]);
        return;
    }
    const std::string weights = view.bytes(plan->weights);
    const std::string now = fill(ui.text["growth.now"_t], {{"bytes", view.bytes(plan->now.bytes)}});
    const auto x_ticks = ticks_of(plan->token_marks), y_ticks = ticks_of(plan->byte_marks);
    const std::vector<EndLabel> labels = growth_labels(ui, *plan, weights);
    ChartSpec spec;
    spec.title = ui.text["growth.title"_t];
    spec.unit = caption_for(ui, *plan, draw_chart_switch(ui, ui.text["growth.to_fit"_t], now));
    spec.x = {.max = plan->max_tokens, .ticks = x_ticks, .grid = false};
    spec.y = {.max = plan->max_bytes, .ticks = y_ticks};
    spec.height = height;
    spec.label_room = labels_width(ui, labels) / ui.unit;
    spec.playhead = static_cast<double>(plan->now.resident_tokens);
    if (const Chart chart = begin_chart(ui, "growth", spec)) {
        draw_lines(chart, ui, *plan);
        chart_end_labels(chart, labels);
        end_chart(chart);
    }
}

}  // namespace kv
