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
void draw_fit(const Ui& ui, const BillView& view, float height);
// Draws at the right end of a chart's head the way to the other chart, and the value of now beside
// its square. Returns the width of both.
float draw_chart_switch(const Ui& ui, std::string_view to, const std::string& now);
// The caption, or nothing where what stands at the right end of the head needs the room.
std::string_view fitting_caption(const Ui& ui, std::string_view title, std::string_view caption,
                                 float taken);

// The height in pixels that draw_device_budget takes in that width: the chart gets the rest.
float device_budget_height(const Ui& ui, const BudgetPlan& plan, float width);
void draw_device_budget(const Ui& ui, const BillView& view, const BudgetPlan& plan);

}  // namespace kv
