#pragma once
// kvarium lessons: the course without a window.

#include "app/cli/command.hpp"

namespace kv {

Subcommand lessons_command();

}  // namespace kv
