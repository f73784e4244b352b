#pragma once
// A run as one picture: its plan, painted. With it the needs that a plan of this run has.

#include "app/panels/present/run/picture_plan.hpp"
#include "app/panels/stage/ui.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

PresentRunNeeds run_picture_needs(const RunView& run, const RunFocus& focus);

// A unit of `ui` is a pixel of the design.
void draw_run_picture(const Ui& ui, const RunView& run, const RunFocus& focus, StageUi& own,
                      const RunPicturePlan& plan);

}  // namespace kv
