#pragma once
// `kvarium attach`: the cache of a server that runs, from its events.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand attach_command();

}  // namespace kv
