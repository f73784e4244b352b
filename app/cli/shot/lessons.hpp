#pragma once
// Pictures of lessons: one step, or all of them at once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shot/shot.hpp"
#include "app/cli/terminal/options.hpp"
#include "core/lesson/course/shelf.hpp"

namespace kv {

// "--lesson 8 --step 3" as the command that opens it; nothing without --lesson.
std::optional<std::string> lesson_command(const GivenOptions& given);

// A step of a lesson on the shelf.
struct LessonPlace {
    const Lesson* lesson;
    std::size_t index;  // of the step, from 0
};
// All steps, those of one lesson, or one step of it; steps count from 1. Throws kv::Error (Usage)
// when there is none.
std::vector<LessonPlace> places_of_steps(const LessonShelf& shelf,
                                         std::optional<std::uint64_t> lesson,
                                         std::optional<std::uint64_t> step);
std::string step_name(const Lesson& lesson, std::size_t index);  // "08-06-walk"
bool has_more(const LessonStep& step);                           // to show after a key is pressed

// The folder of many pictures. Throws kv::Error (Usage) when none was named.
const std::string& out_dir_of(const ShotOptions& options);

// Every step as NN-STEP-ID.png in --out-dir, before its reveal and, where it has one, after it.
int shot_all_lessons(const ShotOptions& options, std::optional<std::uint64_t> lesson,
                     std::optional<std::uint64_t> step);

}  // namespace kv
