#pragma once
// The program without main(): finds the command, runs it, and turns whatever went wrong into one
// sentence on standard error and an exit code. Every error that nobody below could answer is caught
// here.

#include <string>
#include <vector>

namespace kv {

int run_program(const std::vector<std::string>& arguments);

}  // namespace kv
