#pragma once
#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand shot_command();

}  // namespace kv
