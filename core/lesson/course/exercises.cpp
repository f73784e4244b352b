#include "core/lesson/course/exercises.hpp"

#include "core/lesson/exercises/shelf.hpp"

namespace kv {

std::vector<std::string> CourseExercises::of_lesson(std::uint32_t lesson) const {
    if (lesson < 1 || lesson > kLessons) return {};
    return exercises_of(lesson);
}

std::optional<FixedExercise> CourseExercises::fixed(const std::string& id) const {
    if (!is_exercise(id)) return std::nullopt;
    const Exercise exercise = fixed_exercise(id);
    FixedExercise shown{id, exercise.text, expected_answer(exercise)};
    for (const std::string& choice : exercise.choices) shown.text += "\n  - " + choice;
    return shown;
}

}  // namespace kv
