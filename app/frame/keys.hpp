#pragma once
// Keys become commands here, by the command table and by nothing else.

#include "app/frame/app_state.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// Pushes the command of every chord pressed in this frame. Plain letters are left to a field being
// typed in.
void read_keys(const AppState& state, CommandSink& out);

}  // namespace kv
