#include <algorithm>
#include <cmath>

#include "app/panels/bill/calculator/inputs.hpp"
#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/bill/calculator/results.hpp"
#include "app/panels/bill/panels.hpp"

namespace kv {
namespace {

constexpr float kInputs = 232, kColumnsGap = 24;  // logical pixels
constexpr float kNarrow = 520;                    // below it the columns stand one under the other
constexpr float kExtraRows = 690;  // content height from which the further lines are shown
constexpr float kRule = 17;

void draw_results(const Ui& ui, const BillView& view, float bottom, bool extras, BillFocus& focus,
                  CalculatorUi& own) {
    const BudgetPlan budget = plan_budget(view, ui.text);
    const float width = room_width();
    draw_bill_rows(ui, view, extras, focus, own);
    rule(ui, RuleSpan::Content, 8, 8);
    // The chart takes what the budget leaves.
    const float room = bottom - ImGui::GetCursorScreenPos().y;
    const float below = ui.px(kRule) + device_budget_height(ui, budget, width);
    const float height = std::max(least_growth_height(ui), room - below);
    if (view.in.chart == BillChart::Growth) {
        draw_growth(ui, view, height);
    } else {
        draw_fit(ui, view, height);
    }
    rule(ui, RuleSpan::Content, 8, 8);
    draw_device_budget(ui, view, budget);
}

}  // namespace

void draw_calculator(const Ui& ui, const BillInputs& bill, BillFocus& focus, CalculatorUi& own) {
    const TightSpacing tight;
    std::string why;
    const auto view = view_bill(bill, BillSide::Left, why);
    if (!view) {
        draw_too_large(ui, why);
        return;
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool extras = room.y >= ui.px(kExtraRows);
    if (room.x < ui.px(kNarrow)) {
        draw_calculator_inputs(ui, *view, focus, own);
        rule(ui, RuleSpan::Content);
        draw_results(ui, *view, 0, false, focus, own);
        return;
    }
    const float bottom = ImGui::GetCursorScreenPos().y + room.y;
    TwoColumns columns("calculator", ui.px(kInputs), ui.px(kColumnsGap));
    draw_calculator_inputs(ui, *view, focus, own);
    columns.next();
    draw_results(ui, *view, bottom, extras, focus, own);
}

}  // namespace kv
