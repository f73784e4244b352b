#pragma once
// Two servers on one axis of time. Pure.

#include "app/panels/attach/plan.hpp"
#include "app/panels/attach/view.hpp"

namespace kv {

// Where both were watched at the same time, one clock serves both: the servers' own, as their
// batches say it. Else each begins at its own start, as two recordings of different days do.
struct PairAxis {
    bool one_clock = true;
    double right_later_s = 0;  // the right one's clock, less the left one's, at one place
    double zero_s = 0;         // what is written 0:00, on the left one's clock
    StreamSpan left, right;    // the same room, each on its own clock
};
PairAxis pair_axis(const ServerView& left, const ServerView& right);

}  // namespace kv
