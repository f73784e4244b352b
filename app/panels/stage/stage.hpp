#pragma once
// The Stage: what happens now, the request in focus token by token, the other requests, the pool,
// the host tier, and the lines from table to pool.

#include "app/panels/stage/ui.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_stage(const Ui& ui, const RunView& run, RunFocus& focus, StageUi& own);

}  // namespace kv
