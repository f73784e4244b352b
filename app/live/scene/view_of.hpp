#pragma once
// A session as the panels see it. What does not belong to the session (attention, proof, undo) is
// filled in by whoever owns it.

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/session/recorded_run.hpp"
#include "app/session/run_session.hpp"

namespace kv {

// The state at the cursor with one of its lanes in the first place. What is shown has to outlive
// the view.
class LaneLens {
public:
    const Snapshot& look(const Snapshot& now, LaneId lane);

private:
    Snapshot shown_;
};

// Valid until the session moves on. `id`: another one for every run.
RunView view_of(RunSession& session, std::uint64_t id, LaneLens& lens, const RunFocus& focus);
RunView view_of(RecordedRun& recorded, std::uint64_t id, LaneLens& lens, const RunFocus& focus);

}  // namespace kv
