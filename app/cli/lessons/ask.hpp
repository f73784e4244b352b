#pragma once
// kvarium lessons --ask N and --grade FILE: questions of a lesson, and what answers to them are
// worth.

#include <functional>
#include <vector>

#include "app/cli/terminal/command.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

const std::vector<OptionSpec>& lessons_ask_options();
bool asks_or_grades(const GivenOptions& given);
// The lessons whose tasks are asked or graded, read when there is need of them.
struct TaskSource {
    const LessonShelf& shelf;
    LessonPlayer& player;
};
int run_lessons_ask(const GivenOptions& given, const CommonOptions& common, TaskSource desk);

}  // namespace kv
