#pragma once
// An exercise as a lesson defines it: parameters, the fixed instance that is printed in the course,
// random instances (drawn as from dice; nothing here is painted) with the rule by which some are
// rejected, and one function that makes the question and asks the oracle for the answers. Fixed and
// random instances differ in nothing else.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/lesson/exercises/dice.hpp"
#include "core/lesson/exercises/exercise.hpp"

namespace kv {

struct ExerciseKind {
    // What is rejected beside what is_degenerate() rejects; empty when that is all.
    std::string rejects;
    std::function<Exercise()> fixed;
    std::function<std::optional<Exercise>(Dice&)> random;  // nothing: the draw is rejected
};
using ExerciseKinds = std::vector<ExerciseKind>;

template <class Given>
ExerciseKind exercise_kind(std::string rejects, Given fixed,
                           std::optional<Given> (*random_given)(Dice&),
                           Exercise (*make)(const Given&)) {
    return {std::move(rejects), [=] { return make(fixed); },
            [=](Dice& dice) -> std::optional<Exercise> {
                const std::optional<Given> given = random_given(dice);
                if (!given) return std::nullopt;
                return make(*given);
            }};
}

// The exercises of each lesson, in the order of its table.
ExerciseKinds lesson_1_exercises();
ExerciseKinds lesson_2_exercises();
ExerciseKinds lesson_3_exercises();
ExerciseKinds lesson_4_exercises();
ExerciseKinds lesson_5_exercises();
ExerciseKinds lesson_6_exercises();
ExerciseKinds lesson_7_exercises();
ExerciseKinds lesson_8_exercises();
ExerciseKinds lesson_9_exercises();
ExerciseKinds lesson_10_exercises();
ExerciseKinds lesson_11_exercises();
ExerciseKinds lesson_12_exercises();
ExerciseKinds lesson_13_exercises();
ExerciseKinds lesson_14_exercises();
ExerciseKinds lesson_16_exercises();
ExerciseKinds real_questions();       // of lesson 14, behind its exercises
ExerciseKinds self_test_questions();  // of lesson 14, behind the real questions
ExerciseKinds recorded_questions();   // of lesson 14, behind the self-test

}  // namespace kv
