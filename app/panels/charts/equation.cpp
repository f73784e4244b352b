#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/equation/terms.hpp"
#include "app/panels/charts/equation_plan.hpp"
#include "app/panels/charts/panels.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/widgets/chart/bars.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

void draw_row(const Ui& ui, const EquationRow& row, float height) {
    RowLook look;
    look.height = height;
    look.strong = row.strong;
    look.total = row.total;
    look.label_color = ui.colors.text2;
    if (row.waste) look.value_color = ui.colors.loss.ink;
    const bool exact = room_width() >= ui.px(kExactFrom);
    if (!value_row(ui, row.label, exact ? row.value : Text(bytes_binary(row.bytes)), look)) return;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort))
        ImGui::SetTooltip("%s", bytes_all_ways(row.bytes).c_str());
}

void draw_bars_of(const Ui& ui, const RunEquation& equation, const EquationPitch& pitch,
                  RunFocus& focus) {
    if (equation.bars.empty()) return;
    paragraph(ui, colored(type::body(ui), ui.colors.text3), pitch.head, equation.plan.same_with);
    const bool exact = room_width() >= ui.px(kExactFrom);
    List<Text> values;
    for (const HeadsBar& bar : equation.bars)
        values.push_back(exact ? bytes_exact(bar.bytes) : bytes_binary(bar.bytes));
    List<Bar> bars;
    for (std::size_t i = 0; i < equation.bars.size(); ++i)
        bars.push_back({.label = equation.bars[i].label,
                        .value = values[i],
                        .amount = static_cast<double>(equation.bars[i].bytes),
                        .emphasised = equation.bars[i].current});
    const auto hovered = draw_bars(ui, "same", bars, {.pitch = pitch.bar});
    if (!hovered) return;
    focus.next_pointed.factor = BillFactor::KvHeads;
    ImGui::SetTooltip("%s", bytes_all_ways(equation.bars[*hovered].bytes).c_str());
}

}  // namespace

void draw_run_equation(const Ui& ui, const RunView& run, RunFocus& focus) {
    const TightSpacing tight;
    const RunEquation equation = plan_run_equation(run, ui.text);
    const bool large = prefer_large(ui, equation.plan);
    const EquationPitch pitch =
        pitch_for(ui, {.rows = equation.plan.rows.size(), .bars = equation.bars.size()},
                  terms_height(ui, equation.plan, large), ImGui::GetContentRegionAvail().y);
    if (pitch.title > 0) {
        paragraph(ui, type::body(ui), 18, ui.text["run_equation.title"_t]);
        space(ui, pitch.title - 18);
    }
    // The boxes tell what is pointed at in the way of the bill.
    BillFocus boxes{
        .factor = focus.pointed.factor, .next_factor = {}, .result = {}, .next_result = {}};
    const ImVec2 terms_at = ImGui::GetCursorScreenPos();
    draw_terms(ui, equation.plan, large, boxes);
    tell_part(ui, {PartKind::Product},
              {terms_at.x, terms_at.y, room_width(), ImGui::GetCursorScreenPos().y - terms_at.y});
    if (boxes.next_factor) focus.next_pointed.factor = boxes.next_factor;
    space(ui, 4);
    for (const EquationRow& row : equation.plan.rows) draw_row(ui, row, pitch.row);
    rule(ui, RuleSpan::Window, pitch.rule, pitch.rule);
    draw_bars_of(ui, equation, pitch, focus);
}

}  // namespace kv
