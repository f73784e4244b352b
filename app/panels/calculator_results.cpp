#include "app/panels/calculator_results.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/calculator_growth.hpp"
#include "app/panels/calculator_parts.hpp"
#include "app/widgets/chart.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kRow = 22, kMark = 14;
constexpr float kLabelsBeside = 460;  // logical width from which labels of lines take one row

float room_width() {
    return std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
}

// GiB or GB, at the right end of the head.
void draw_units(const Ui& ui, const BillView& view) {
    const std::array<std::string_view, 2> options{ui.text["calc.units.gib"_t],
                                                  ui.text["calc.units.gb"_t]};
    const float width = segmented_width(ui, options);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room_width() - width);
    if (segmented(ui, "units", options, view.in.units == UnitSystem::Binary ? 0 : 1))
        ui.out.push("bill.units");
}

void draw_head(const Ui& ui, const BillView& view) {
    const ImVec2 at = ImGui::GetCursorPos();
    section_head(ui, ui.text["calc.results"_t], ui.text["calc.results.hint"_t]);
    ImGui::SetCursorPos(at);
    draw_units(ui, view);
    space(ui, 4);
}

RowLook look_of(const Ui& ui, const BillRow& row) {
    RowLook look;
    look.height = kRow;
    look.strong = row.strong;
    look.secondary = row.detail;
    if (row.loss) look.value_color = ui.colors.loss.ink;
    return look;
}

// One line of the bill is one item: pointing at it tells how, pressing keeps that open beneath.
void draw_row(const Ui& ui, const BillView& view, const BillRow& row, BillFocus& focus,
              CalculatorUi& own) {
    const std::string name(row.result);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Hit hit = hit_item(row.label.c_str(), {room_width(), ui.px(kRow)});
    const bool tip = ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort);
    const bool open = is_open(own.unfolded, name);
    const Painter p(ui);
    if (hit.hovered || hit.focused) focus.next_result = name;
    if (hit.hovered || focus.result == name)
        fill(p, {hit.rect.x, hit.rect.y, hit.rect.w, hit.rect.h}, ui.colors.hover_wash(), 2);
    if (hit.focused) focus_ring(p, hit.rect, 2);
    chevron(p, {hit.rect.x + ui.px(4), hit.rect.center().y}, 8, open ? Dir::Down : Dir::Right,
            ui.colors.text3);
    ImGui::SetCursorScreenPos({at.x + ui.px(kMark), at.y});
    value_row(ui, row.label, row.value, look_of(ui, row));
    if (tip && !open) draw_unfold_tip(ui, view, name, row.label);
    if (hit.pressed) own.unfolded = toggled(own.unfolded, name);
    if (open && own.unfolded) draw_unfolded(ui, view, own.unfolded, focus);
}

// ---- growth
// -----------------------------------------------------------------------------------------

Color line_color(const Ui& ui, const GrowthLine& line) {
    return line.current ? ui.colors.text : mix(ui.colors.panel, ui.colors.text, 0.45);
}

std::vector<ChartTick> ticks_of(const std::vector<AxisMark>& marks) {
    std::vector<ChartTick> ticks;
    for (const AxisMark& mark : marks) ticks.push_back({mark.at, mark.label, mark.strong});
    return ticks;
}

void draw_growth_marks(const Chart& chart, const Ui& ui, const GrowthPlan& plan) {
    const double weights = static_cast<double>(plan.weights);
    if (plan.crossover) {
        const std::array x{static_cast<double>(*plan.crossover)}, y{weights};
        chart_markers(chart, x, y, Marker::Ring, ui.colors.text, 4.5f);
    }
    const std::array x{static_cast<double>(plan.now.resident_tokens)};
    const std::array y{static_cast<double>(plan.now.bytes)};
    chart_markers(chart, x, y, Marker::Square, ui.colors.focus, 4);
}

// The value at the square, at the right end of the chart's head. Its width.
float draw_now(const Ui& ui, const std::string& now) {
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

void draw_growth_labels(const Chart& chart, const Ui& ui, const BillView& view,
                        const GrowthPlan& plan, bool beside) {
    const std::string weights = view.bytes(plan.weights);
    std::vector<EndLabel> labels;
    for (const GrowthLine& line : plan.lines)
        labels.push_back({line.bytes.back(), line.label, line.slope, line.current, beside});
    labels.push_back(
        {static_cast<double>(plan.weights), weights, ui.text["growth.weights"_t], false, beside});
    std::sort(labels.begin(), labels.end(),
              [](const EndLabel& a, const EndLabel& b) { return a.y > b.y; });
    chart_end_labels(chart, labels);
}

}  // namespace

void draw_bill_rows(const Ui& ui, const BillView& view, bool extras, BillFocus& focus,
                    CalculatorUi& own) {
    draw_head(ui, view);
    for (const BillRow& row : bill_rows(view, ui.text)) draw_row(ui, view, row, focus, own);
    if (!extras) return;
    rule(ui, RuleSpan::Content, 4, 4);
    for (const BillRow& row : extra_rows(view, ui.text)) draw_row(ui, view, row, focus, own);
}

void draw_growth(const Ui& ui, const BillView& view, float height) {
    const auto plan = plan_growth(view, ui.text);
    if (!plan) {
        paragraph(ui, type::body(ui), 20, ui.text["growth.none"_t]);
        return;
    }
    const auto x_ticks = ticks_of(plan->token_marks), y_ticks = ticks_of(plan->byte_marks);
    ChartSpec spec;
    spec.title = ui.text["growth.title"_t];
    const std::string caption = growth_caption(*plan, ui.text);
    const float now_w =
        draw_now(ui, fill(ui.text["growth.now"_t], {{"bytes", view.bytes(plan->now.bytes)}}));
    const float words = text_width(ui, type::section(ui), spec.title) + ui.px(34) +
                        text_width(ui, type::caption(ui), caption);
    if (words + now_w <= room_width()) spec.unit = caption;
    spec.x = {.max = plan->max_tokens, .ticks = x_ticks, .grid = false};
    spec.y = {.max = plan->max_bytes, .ticks = y_ticks};
    spec.height = height;
    const bool beside = room_width() >= ui.px(kLabelsBeside);
    spec.label_room = beside ? 152 : 104;
    spec.playhead = static_cast<double>(plan->now.resident_tokens);
    const Chart chart = begin_chart(ui, "growth", spec);
    if (!chart) return;
    const std::array<double, 2> ends{0, plan->max_tokens};
    const std::array<double, 2> level{static_cast<double>(plan->weights),
                                      static_cast<double>(plan->weights)};
    chart_line(chart, ends, level, {ui.colors.text3, 1.2f, LineDash::Dashed});
    for (const GrowthLine& line : plan->lines)
        chart_line(chart, line.tokens, line.bytes,
                   {line_color(ui, line), line.current ? 2.4f : 1.4f});
    draw_growth_marks(chart, ui, *plan);
    draw_growth_labels(chart, ui, view, *plan, beside);
    end_chart(chart);
}

}  // namespace kv
