#pragma once
// The exercises of the course, by id. An id is the lesson, a point and the place in the lesson's
// table, both from 1; it never changes.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/lesson/exercises/exercise.hpp"

namespace kv {

// Lessons have the numbers 0 to kLessons. Lesson 0 has no exercises and is not asked for here; the
// museum has none either. Whatever counts lessons counts with these.
inline constexpr unsigned kLessons = 16, kMuseum = 15;

std::vector<std::string> exercises_of(unsigned lesson);  // from 1 to kLessons; the museum's: none
bool is_exercise(std::string_view id);
unsigned lesson_of(std::string_view id);  // of an exercise

// Both of an exercise that there is.
Exercise ask(std::string_view id, u64 seed);
Exercise fixed_exercise(std::string_view id);
// Which draws are made again, as sentences.
std::string rejection_rule(std::string_view id);

}  // namespace kv
