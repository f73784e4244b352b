#pragma once
// Whether what somebody said to a prediction is right: a comparison of texts, which forgives how an
// answer is written and nothing else.

#include <string>

#include "core/lesson/course/shown_step.hpp"

namespace kv {

// Whether an answer was right, what it said (a choice by its text), and what is real.
struct GradedPrediction {
    bool right = false;
    std::string said, real;
};
// `answer`: a choice (its text, or its number from 1), or a value: "1,024", "2 MiB", "57 blocks".
// It is right when it is letter by letter the text of the prediction's answer, or of another that
// is accepted; case, blanks, quotes and the commas of thousands and lists do not count, 1,5 is 1.5,
// and either side may leave out the unit. The text is computed beforehand, where the step ends:
// shown_prediction() in player.hpp.
GradedPrediction grade_prediction(const ShownPrediction& prediction, const std::string& answer);

}  // namespace kv
