#pragma once
// kvarium lessons: the course without a window.

#include "app/cli/terminal/command.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

Subcommand lessons_command();

// What is printed. list.cpp: all lessons, the functions of expressions; show.cpp: one lesson, for
// readers or for teachers; check.cpp: which of the expectations hold.
std::string lessons_list(const LessonShelf& shelf, bool json);
std::string lesson_text(const Lesson& lesson, LessonPlayer& player,
                        const LessonExercises* exercises);
std::string teacher_page(const Lesson& lesson, LessonPlayer& player,
                         const LessonExercises* exercises);
std::string lesson_functions_text();
std::string report_text(const LessonReport& report, bool json);

}  // namespace kv
