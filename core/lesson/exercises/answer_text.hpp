#pragma once
// Answers as people write them: one value or several, with or without units, thousands with or
// without commas.
//
//   "3, 5, 4, 69"   "logical 3, offset 5"   "6,112 and 127"   "8 x 1 x 38"   "128 KiB; 1 GiB"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/exercises/answer_value.hpp"
#include "core/lesson/exercises/exercise.hpp"

namespace kv {

// What stands in a field for each part, and the text of such fields. Fields may be empty, or hold
// what fits no part.
std::vector<std::string> answer_fields(const Exercise& exercise, std::string_view text);
std::string answer_of_fields(const std::vector<std::string>& fields);
// Some fields have a value and some do not.
bool is_begun(const Exercise& exercise, std::string_view text);

// The values in the order of the parts. On a refusal `why` is a sentence such as
// "Expected 4 values and read 2; put a semicolon between them."
std::optional<std::vector<AnswerValue>> read_answer(const Exercise& exercise, std::string_view text,
                                                    std::string& why);

}  // namespace kv
