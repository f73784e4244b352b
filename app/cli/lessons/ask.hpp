#pragma once
// kvarium lessons --ask N: the questions of a lesson.

#include <vector>

#include "app/cli/lessons/tasks.hpp"
#include "app/cli/terminal/command.hpp"

namespace kv {

const std::vector<OptionSpec>& lessons_ask_options();
int run_lessons_ask(const GivenOptions& given, const CommonOptions& common, TaskSource desk);

}  // namespace kv
