#pragma once
// The inspector: where one token's key or value lies, how that address comes about, and what the
// bytes say; or, of a block that was selected by itself, who holds it and what is in it.

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_inspector(const Ui& ui, const RunView& run, RunFocus& focus);

}  // namespace kv
