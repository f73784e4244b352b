#pragma once
// kvarium lessons --sheet N: the exercises of a lesson on paper, and their key.

#include <vector>

#include "app/cli/terminal/command.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

const std::vector<OptionSpec>& lessons_sheet_options();
int run_lessons_sheet(const LessonShelf& shelf, const GivenOptions& given,
                      const CommonOptions& common);

}  // namespace kv
