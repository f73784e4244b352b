#pragma once
// The right column of the calculator: the lines of the bill, the growth curve and the device.

#include "app/panels/bill/calculator/budget.hpp"
#include "app/panels/bill/ui.hpp"
#include "app/panels/bill/view.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_bill_rows(const Ui& ui, const BillView& view, bool extras, BillFocus& focus,
                    CalculatorUi& own);
float least_growth_height(const Ui& ui);
void draw_growth(const Ui& ui, const BillView& view, float height);

// The height in pixels that draw_device_budget takes in that width: the chart gets the rest.
float device_budget_height(const Ui& ui, const BudgetPlan& plan, float width);
void draw_device_budget(const Ui& ui, const BillView& view, const BudgetPlan& plan);

}  // namespace kv
