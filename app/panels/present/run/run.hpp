#pragma once
// Present while something runs: the tokens of the request in focus, its table, the pool, the memory
// over time, and one sentence that the back row can read.

#include "app/panels/present/layout.hpp"
#include "app/panels/stage/ui.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// `frozen`: the run goes on behind the picture.
void draw_present_run(const Ui& ui, const RunView& run, const RunFocus& focus, StageUi& own,
                      const Rect& room, bool frozen, const PresentLook& look);

}  // namespace kv
