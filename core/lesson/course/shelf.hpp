#pragma once
// All lessons of a folder (lessons/NN-name/lesson.md), in order of their numbers, and what they are
// checked for as a course.

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/lesson/course/player.hpp"

namespace kv {

struct LessonShelf {
    std::vector<Lesson> lessons;
    std::optional<Measures> measures;  // of measured.json, where the folder has one
    const Lesson* find(std::uint32_t number) const;
};
inline constexpr const char* kMeasuresFile = "measured.json";

// Throws kv::Error for a lesson that is broken and for two of one number.
LessonShelf read_shelf(const std::string& folder);

// A fixed instance with what the oracle answers. Whoever has exercises says so here.
struct FixedExercise {
    std::string id, text, answer;
};
class LessonExercises {
public:
    virtual ~LessonExercises() = default;
    virtual std::vector<std::string> of_lesson(std::uint32_t lesson) const = 0;
    // The printed instance; nothing for an id that is no exercise.
    virtual std::optional<FixedExercise> fixed(const std::string& id) const = 0;
};

struct LessonReport {
    std::uint32_t lessons = 0;   // of the course
    std::uint32_t exhibits = 0;  // steps of the museum, which the rest counts as well
    std::uint32_t steps = 0, values = 0, predictions = 0, expects = 0, tasks = 0;
    std::vector<FixedExercise> exercises;
    std::set<std::string> rows;       // of the table of checks, that some step shows
    std::vector<std::string> broken;  // sentences that name file, line and rule
};
// `progress` is told the lesson that comes next.
LessonReport check_shelf(const LessonShelf& shelf, LessonPlayer& player,
                         const LessonExercises* exercises,
                         const std::function<void(const Lesson&)>& progress = {});
// "C001" to "C163" without those of `rows`.
std::vector<std::string> rows_missing(const std::set<std::string>& rows);

}  // namespace kv
