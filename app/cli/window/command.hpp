#pragma once
// The window as a row of the command table.

#include "app/cli/terminal/command.hpp"

namespace kv {

// What runs when no subcommand is named.
Subcommand window_command();

}  // namespace kv
