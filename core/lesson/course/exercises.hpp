#pragma once
// The exercises of the course for the lessons that ask them.

#include "core/lesson/course/shelf.hpp"

namespace kv {

class CourseExercises : public LessonExercises {
public:
    std::vector<std::string> of_lesson(std::uint32_t lesson) const override;
    std::optional<FixedExercise> fixed(const std::string& id) const override;
};

}  // namespace kv
