#pragma once
// Every panel is a free function: it reads const data, draws into the current window, and leaves
// commands in ui.out. It owns nothing but the small struct it is given.

#include "app/panels/bill/bill.hpp"
#include "app/panels/bill/ui.hpp"
#include "app/shell/ui.hpp"
#include "core/base/undo_history.hpp"

namespace kv {

// The bill
void draw_calculator(const Ui& ui, const BillInputs& bill, BillFocus& focus, CalculatorUi& own);
void draw_equation(const Ui& ui, const BillInputs& bill, BillFocus& focus);
void draw_settings(const Ui& ui, const BillInputs& bill, const UndoHistory<BillInputs>& history,
                   BillFocus& focus);
void draw_roofline(const Ui& ui, const BillInputs& bill);
// Every line with its formula: the accessible path.
std::string bill_as_text(const BillInputs& bill, const Texts& text);

// Compare
void draw_summary(const Ui& ui, const BillInputs& bill);
void draw_side(const Ui& ui, const BillInputs& bill, BillSide side, BillFocus& focus);
void draw_memory(const Ui& ui, const BillInputs& bill);

// Reference
void draw_glossary(const Ui& ui, BillFocus& focus);

// Panels that show a run, as they are while there is none: what, why, what next.
void draw_charts_without_run(const Ui& ui);
void draw_mini_charts_without_run(const Ui& ui);
// A run that has not made two steps yet.
void draw_charts_before_steps(const Ui& ui);
void draw_mini_charts_before_steps(const Ui& ui);
void draw_transport_without_run(const Ui& ui);
void draw_requests_without_run(const Ui& ui, const BillInputs& bill);
void draw_empty_words(const Ui& ui, TextId title, TextId why);

}  // namespace kv
