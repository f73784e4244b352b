#pragma once
// What the commands of the race do to what the window remembers of it.

#include "app/panels/race/ui.hpp"
#include "app/shell/commands.hpp"

namespace kv {

// Throws kv::Error for what is refused, state unchanged.
void ask_race(RaceUi& race, const Command& command);

}  // namespace kv
