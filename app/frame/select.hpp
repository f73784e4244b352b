#pragma once
// The commands of CommandOwner::Selection: what is looked at in a run, and how it plays.

#include "app/frame/state/run_state.hpp"

namespace kv {

// Throws kv::Error for what is refused, state unchanged.
void select(RunState& run, const Command& command);

}  // namespace kv
