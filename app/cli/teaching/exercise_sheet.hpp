#pragma once
// Exercises of a lesson on paper: a sheet for each seed, with a field for each value that is asked
// for, and behind all sheets their keys, each on a page of its own. The same seed gives the same
// sheet. As HTML the fields can be filled in, and what stands in them is kept as a file that
// `kvarium lessons --grade` reads. Pure.

#include <optional>
#include <string>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/lesson/exercises/exercise.hpp"

namespace kv {

struct SheetCopy {
    std::optional<u64> seed;  // none: the printed instances
    std::vector<Exercise> exercises;
};
struct ExerciseSheet {
    unsigned lesson = 0;
    std::string title;  // of the lesson
    std::vector<SheetCopy> copies;
    bool with_key = true;
};

SheetCopy sheet_copy(unsigned lesson, std::optional<u64> seed);
std::string sheet_html(const ExerciseSheet& sheet);
std::string sheet_markdown(const ExerciseSheet& sheet);

// What both ways of writing it say. Internal to the room.
std::string name_of_copy(const SheetCopy& copy);      // "seed 3", "printed numbers"
std::string label_of_part(const ExercisePart& part);  // "the blocks (blocks)"
std::string known_slips(const ExercisePart& part);    // "48: the partly filled blocks left out"

}  // namespace kv
