#pragma once
// Present of a bill: one picture for the projector.

#include "app/panels/bill/bill.hpp"
#include "app/panels/present/layout.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_present(const Ui& ui, const BillInputs& bill, const Rect& room,
                  const PresentLook& look = {});

}  // namespace kv
