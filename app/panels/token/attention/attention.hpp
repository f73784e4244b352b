#pragma once
// What the query token of the focused request looked at: every query head of one layer over all
// tokens before it, and the weights of one head as bars.

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_attention(const Ui& ui, const RunView& run, RunFocus& focus);

}  // namespace kv
