#pragma once
// What commands do to what the window remembers of the question "what if".

#include "app/panels/whatif/ui.hpp"
#include "app/shell/commands.hpp"

namespace kv {

// Throws kv::Refused for what cannot be asked for, nothing changed.
void ask_whatif(WhatIfUi& own, const Command& command);

}  // namespace kv
