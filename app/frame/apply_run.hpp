#pragma once
// The commands that concern the run: those that select change the state at once, the others are
// kept for the owner of the run.

#include "app/frame/state/app_state.hpp"

namespace kv {

// False when the command is none of these. Throws kv::Error for what is refused, state unchanged.
bool apply_run_command(AppState& state, const Command& command);

}  // namespace kv
