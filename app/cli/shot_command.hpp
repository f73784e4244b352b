#pragma once
#include "app/cli/command.hpp"

namespace kv {

Subcommand shot_command();

}  // namespace kv
