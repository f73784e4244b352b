#pragma once
// kvarium man: the manual, made from the same tables as --help, so that no command and no option is
// missing from it.

#include <string>

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand man_command();

// "kvarium run"; "kvarium" for what runs without a command.
std::string name_in_manual(const Subcommand& command);
std::string summary_sentence(const Subcommand& command);

std::string manual_roff(const Program& program);      // as man(1) reads it
std::string manual_markdown(const Program& program);  // a page of the documentation
std::string bash_completion(const Program& program);  // what bash offers behind "kvarium"

}  // namespace kv
