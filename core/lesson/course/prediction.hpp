#pragma once
// A prediction of a step with everything computed. Internal to the player.

#include <cstdint>

#include "core/lesson/course/shown_step.hpp"
#include "core/lesson/language/evaluate.hpp"

namespace kv {

// `seed`: whoever asks the same prediction again sees the choices in the same order.
ShownPrediction shown_prediction(const Lesson& lesson, const Prediction& prediction,
                                 const Evaluator& opens, const Evaluator& ends, std::uint64_t seed);

}  // namespace kv
