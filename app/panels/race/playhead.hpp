#pragma once
// Where the playhead of a race stands and what part of the time is shown. Pure arithmetic: no
// imgui.h, no clock.

#include <optional>

#include "app/panels/race/raced.hpp"

namespace kv {

// Iterations that the strips show.
struct RaceTime {
    u64 first = 0, count = 1;
    u64 end() const { return first + count; }
    friend bool operator==(const RaceTime&, const RaceTime&) = default;
};

// A round number of iterations in which the first allocator comes to its end; nearly every strip is
// still full then.
RaceTime first_look(const RacedWorkload& race);
// Zoomed at an iteration, which keeps its place; never narrower than ten iterations, never wider
// than what happened.
RaceTime zoomed(const RaceTime& time, double factor, double around, u64 longest);
// The playhead has left what is shown: from the start on twice as much is shown, else the next
// part.
RaceTime following(RaceTime time, double at, u64 longest);

// How far a press of Left or Right goes: what passes in a tenth of a second.
u64 race_step(u64 speed);
// The place that play has come to; the end stops it.
double played_to(double at, u64 speed, double seconds, u64 longest);

}  // namespace kv
