#pragma once
// What is computed before it is looked at: up to where the cursor is to go, and, while nothing else
// is asked for, to the end of the run.

#include <functional>
#include <optional>

#include "app/live/comparison.hpp"
#include "app/live/playhead.hpp"
#include "app/session/run_session.hpp"

namespace kv {

struct Computing {
    RunCursor* run = nullptr;       // what the cursor stands in
    RunSession* session = nullptr;  // the same where an engine stands behind it
    Comparison& comparison;
    const std::function<void()>& wake;  // when there is more to show
};

// As far towards the playhead's goal as the time allows, until the clock of seconds_now() says so.
// How the goal ended; nothing while there is none, or it waits.
std::optional<Moved> pursue(Playhead& playhead, const Computing& on, double until);

// The runs of small models, a piece further, so that the timeline shows what is to come. By size,
// not by the clock: the same scene gives the same picture.
void record_ahead(const Computing& on);

}  // namespace kv
