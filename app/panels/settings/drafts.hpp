#pragma once
// The group of drafts in Settings: who proposes tokens, and how many one read checks.

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_draft_group(const Ui& ui, const RunView& run, const RunFocus& focus);

}  // namespace kv
