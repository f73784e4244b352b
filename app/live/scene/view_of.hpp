#pragma once
// A session as the panels see it. What does not belong to the session (attention, proof, undo) is
// filled in by whoever owns it.

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/session/recorded_run.hpp"
#include "app/session/run_session.hpp"

namespace kv {

// Valid until the session moves on. `id`: another one for every run.
RunView view_of(RunSession& session, std::uint64_t id, const RunFocus& focus);
RunView view_of(RecordedRun& recorded, std::uint64_t id, const RunFocus& focus);

}  // namespace kv
