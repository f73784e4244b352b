#pragma once
// What is computed before it is looked at: up to where the cursor is to go (pursue), and, while
// nothing else is asked for, to the end of the run (record_ahead).

#include <functional>
#include <optional>

#include "app/live/comparison.hpp"
#include "app/live/cursor_driver.hpp"
#include "app/session/run_session.hpp"

namespace kv {

struct Computing {
    RunCursor* run = nullptr;       // what the cursor stands in
    RunSession* session = nullptr;  // the same; null where it is read from a file of events
    Comparison& comparison;
    const std::function<void()>& wake;  // when there is more to show
};

// Goes as far towards the goal as the time allows, until the clock of seconds_now() says `until`.
// Returns how the goal ended; nothing while there is none, or it waits.
std::optional<Moved> pursue(CursorDriver& driver, const Computing& on, double until);

// Records the runs of small models a piece further, so that the timeline shows what is to come. How
// far goes by size and not by the clock, so that the same scene gives the same picture. Needs a
// session.
void record_ahead(const Computing& on);

}  // namespace kv
