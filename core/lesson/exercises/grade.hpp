#pragma once
// An answer against the right one. A wrong answer that a known slip leads to is answered with the
// slip's name. Some slips every exercise knows, such as a decimal unit for a binary one, a rounded
// number where the exact one is asked, a fraction for a percentage, or values in another order.

#include <optional>
#include <string>
#include <string_view>

#include "core/lesson/exercises/exercise.hpp"

namespace kv {

struct Graded {
    bool ok = false;
    std::vector<bool> right;  // each value; none when the answer could not be read
    std::optional<std::string> slip;
    std::string note;  // why the answer could not be read; empty when it could
};

Graded grade(const Exercise& exercise, std::string_view answer);

}  // namespace kv
