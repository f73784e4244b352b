#pragma once
// The text of --help, made from the tables of options.

#include <string>

#include "app/cli/terminal/command.hpp"

namespace kv {

std::string program_help(const Program& program);
std::string command_help(const Subcommand& command);

}  // namespace kv
