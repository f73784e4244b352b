#pragma once
// What a key says depends on what is in front of the person: the arrows step a run, but also a
// race, a figure or a watched server. The command table (app/shell/commands.hpp) names a key's
// command; the one table here names those that it stands for elsewhere.

#include "app/frame/state/app_state.hpp"
#include "app/shell/commands.hpp"

namespace kv {

bool race_in_view(const AppState& state);

// The command that is meant by the key of `command`; it may have been the second of its two keys.
CommandId meaning_of(const AppState& state, CommandId command, bool by_second_key);

// Whether a key of the run is heard by nobody, because the run of a page stands where the page
// says, in front of an audience.
bool leaves_page(const AppState& state, CommandId command);

}  // namespace kv
