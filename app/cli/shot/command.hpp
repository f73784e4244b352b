#pragma once
// `kvarium shot` as a row of the command table.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand shot_command();

}  // namespace kv
