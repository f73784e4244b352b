#pragma once
// kvarium lessons --grade FILE...: what answers are worth, of one student or of a class.

#include <vector>

#include "app/cli/lessons/tasks.hpp"
#include "app/cli/terminal/command.hpp"

namespace kv {

const std::vector<OptionSpec>& lessons_grade_options();
// Grades answer files; with --table it prints a row for each student and exercise. A file that
// cannot be used is told on standard error and does not lose the others; then the exit code is 1.
int run_lessons_grade(const GivenOptions& given, const CommonOptions& common, TaskSource desk);

}  // namespace kv
