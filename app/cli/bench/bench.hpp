#pragma once
// `kvarium bench`: measures this very program. The measuring is done by kvarium-bench, a program of
// its own in the folder `bench` beside this one; what is here starts it, and draws the first frames
// that it measures the start of the program by.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand bench_command();

}  // namespace kv
