#pragma once
// The timeline under the buttons: a lane per request, marks where blocks changed hands, and the two
// rows into which a step and a layer unfold.

#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/pair/pair.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// The other run of a comparison, of which the request in focus gets a lane of its own under ours,
// and where the two part.
struct TimelinePair {
    const RunView& other;
    const RunHistory& history;
    const TokenParting* parting;  // of the request in focus; null: nowhere, as far as is recorded
};

void draw_timeline(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                   const Rect& room, const TimelinePair* pair = nullptr);

}  // namespace kv
