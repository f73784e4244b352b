#pragma once
// Rotary positions, rotate-half form: element i of the first half of a head and element i of the
// second half turn together by position x frequency i. The frequencies are a property of the model;
// how they are scaled for long texts is part of its config.

#include <cstdint>
#include <vector>

#include "core/model/config/config.hpp"

namespace kv {

// head_dim / 2 frequencies in radians per position, the first is 1. Throws for a scaling that only
// the cost model knows.
std::vector<double> rope_frequencies(const ModelConfig& config);

// Turns one head in place, back if `by` is negative. `Real` is float, or double for the truth.
template <class Real>
void rotate_head(Real* head, const std::vector<double>& frequencies, std::int64_t by);

}  // namespace kv
