#pragma once
// The timeline under the buttons: a lane per request, marks where blocks changed hands, and the two
// rows into which a step and a layer unfold.

#include "app/panels/run_focus.hpp"
#include "app/panels/run_history.hpp"
#include "app/panels/run_view.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_timeline(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                   const Rect& room);

}  // namespace kv
