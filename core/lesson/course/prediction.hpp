#pragma once
// A prediction of a step with everything computed, and what would make it no question at all.
// Internal to the player and to the check of the shelf.

#include <string>
#include <vector>

#include "core/lesson/course/shown_step.hpp"
#include "core/lesson/language/evaluate.hpp"

namespace kv {

// `seed`: whoever asks the same prediction again sees the choices in the same order.
ShownPrediction shown_prediction(const Lesson& lesson, const Prediction& prediction,
                                 const Evaluator& opens, const Evaluator& ends, std::uint64_t seed);

// Where the answers of a step stand before they are asked for: in its title, its text or what is
// given. Sentences without a place. A choice is given away when the right one stands there and none
// of the others does.
std::vector<std::string> given_away(const ShownStep& step);

}  // namespace kv
