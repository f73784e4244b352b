#pragma once
// kvarium whatif: what a recording would have found in other pools.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand whatif_command();

}  // namespace kv
