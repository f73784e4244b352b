#pragma once
// `kvarium bench`: measures this very program. The measuring is done by kvarium-bench, a program of
// its own in the folder `bench` beside this one; what is here starts it, and draws the frame whose
// time it takes.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand bench_command();

}  // namespace kv
