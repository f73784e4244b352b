#pragma once
// kvarium lessons --ask N and --grade FILE: questions of a lesson, and what answers to them are
// worth.

#include <vector>

#include "app/cli/terminal/command.hpp"

namespace kv {

const std::vector<OptionSpec>& lessons_ask_options();
bool asks_or_grades(const GivenOptions& given);
int run_lessons_ask(const GivenOptions& given, const CommonOptions& common);

}  // namespace kv
