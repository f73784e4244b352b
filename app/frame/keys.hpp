#pragma once
// Keys become commands here, by the command table; digits and Esc, which are not in it, by what is
// at hand.

#include "app/frame/state/app_state.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// Pushes the command of every chord pressed in this frame. Plain letters are left to a field being
// typed in. Dear ImGui has closed a menu that Esc was meant for before anything is drawn, so the
// caller remembers whether the last frame left one open.
void read_keys(const AppState& state, bool popup_was_open, CommandSink& out);

// The keys of the window for the speaker, where letters are text: Page Up and Page Down always turn
// the pages; while nothing is typed digits answer and Enter reveals.
void read_notes_keys(const AppState& state, CommandSink& out);

}  // namespace kv
