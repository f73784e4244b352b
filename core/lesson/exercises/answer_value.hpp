#pragma once
// One value of an answer: a number with a unit, or a word. Numbers are strict decimals with commas
// of thousands and, for those who need it, an exponent: "1.574e11".

#include <optional>
#include <string>
#include <string_view>

#include "core/lesson/exercises/exercise.hpp"

namespace kv {

struct AnswerValue {
    double number = 0;
    std::string word;
    std::string unit;  // as it was written; empty when there was none
};

// On a refusal `why` is a sentence.
std::optional<AnswerValue> read_value(const ExercisePart& part, std::string_view text,
                                      std::string& why);

}  // namespace kv
