#pragma once
// Drafts: what they brought so far, read by read, and what is to be expected of them.

#include "app/panels/bill/bill.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_drafts(const Ui& ui, const RunView& run, const RunFocus& focus, const RunHistory& history,
                 const BillInputs& bill);

}  // namespace kv
