#pragma once
// The left column of the calculator: what goes into the bill.

#include "app/panels/bill/ui.hpp"
#include "app/panels/bill/view.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_calculator_inputs(const Ui& ui, const BillView& view, BillFocus& focus,
                            CalculatorUi& own);

// The switches that Settings shows as well.
void draw_attention_switch(const Ui& ui, const BillView& view, BillFocus& focus);
void draw_codec_switches(const Ui& ui, const BillView& view, BillFocus& focus);

}  // namespace kv
