#pragma once
// The boxes of the equation: one row where they fit, rows of like width where they do not, and the
// factors that K and V share only once.

#include "app/panels/bill_ui.hpp"
#include "app/panels/equation_plan.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// Large boxes where there is room, but not at the price of a second row.
bool prefer_large(const Ui& ui, const EquationPlan& plan);
// The height in pixels that draw_terms takes in the room there is.
float terms_height(const Ui& ui, const EquationPlan& plan, bool large);
void draw_terms(const Ui& ui, const EquationPlan& plan, bool large, BillFocus& focus);

// Where a row of so many widths is broken so that the longer part is as short as possible. Pure.
std::size_t balanced_break(const std::vector<float>& widths, float gap);

}  // namespace kv
