#pragma once
// kvarium sim: allocators and workloads without a model.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand sim_command();

}  // namespace kv
