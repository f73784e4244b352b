#pragma once
// The program without main(): finds the command, runs it, and turns whatever went wrong into one
// sentence on standard error and an exit code. This is one of the three places where errors are
// caught.

#include <string>
#include <vector>

namespace kv {

int run_program(const std::vector<std::string>& arguments);

}  // namespace kv
