#pragma once
// How long a run will take, from what the cost model counts and what this machine does in a moment.

#include "app/cli/run/input.hpp"
#include "core/model/checkpoint/weights.hpp"

namespace kv {

// FLOP of all requests to their last token, each by itself: what is shared, dropped or stopped
// early makes it less.
double flops_ahead(const RunInput& input);

// Plays a few tokens of the first prompt on the same backend, and takes its rate for the whole.
double seconds_ahead(const RunInput& input, const Weights& weights);

}  // namespace kv
