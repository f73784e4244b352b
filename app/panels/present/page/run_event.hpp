#pragma once
// Present of a run without a lesson, right behind a step in which something happened to a block:
// the event that just happened has the whole page.

#include "app/panels/present/layout.hpp"
#include "app/panels/present/page/page.hpp"

namespace kv {

// The first event of the step that ended last; nothing inside a step, and before the first one.
std::optional<std::uint64_t> last_step_begins(const RunView& run);

// False, and nothing is drawn, where no event of that step has a picture.
bool draw_run_event(const Ui& ui, const RunView& run, RunFocus& focus, PageUi& own,
                    const Rect& room, const PresentLook& look);

}  // namespace kv
