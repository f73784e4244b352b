#pragma once
// What the window remembers of the race: what is asked for, what came of it, and where the playhead
// stands. Commands change what is asked for and the playhead; the holder of races (app/live/race)
// writes what came of it.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "app/panels/race/strip.hpp"
#include "app/shell/geometry.hpp"
#include "app/shell/texts/said.hpp"

namespace kv {

struct RaceUi {
    // Asked for.
    bool wanted = false;  // it was looked at, or a command spoke of it
    RaceAsk ask;
    u64 again = 0;  // counts how often the same race was asked for again
    bool stop = false;

    // What came of it. While another one is held the last one stays.
    std::shared_ptr<const RacedWorkload> race;
    std::optional<double> progress;  // 0 to 1, while one is held
    Said refused;                    // why the last one that was asked for could not be held
    bool stopped = false;            // a person stopped it

    // The picture.
    bool spread = false;           // over all of Explore, not in its dock alone
    std::optional<double> place;   // of the playhead; none: the middle of what is shown first
    std::optional<RaceTime> time;  // shown; none: as it is shown first
    bool playing = false;
    u64 speed = 100;  // iterations a second
    AllocatorKind chosen = AllocatorKind::Paged;
    bool tell_rule = false;  // of the chosen one, in the next frame
    bool tell_faults = false;
    std::optional<Vec2> pressed_at;  // the mouse, on a strip
    bool scrubbing = false;
    RaceStrips strips;

    u64 longest() const { return race ? race->longest() : 0; }
    RaceTime shown() const {
        if (time) return *time;
        return race ? first_look(*race) : RaceTime{};
    }
    double at() const {
        if (!race) return place.value_or(0);
        const double most = static_cast<double>(longest());
        const double middle = std::floor(static_cast<double>(first_look(*race).count) / 2);
        return std::clamp(place.value_or(middle), 0.0, most);
    }
    u64 iteration() const { return static_cast<u64>(at()); }
    // The playhead goes there, and what is shown goes with it.
    void go(double iteration) {
        place = std::max(0.0, iteration);
        if (!race) return;
        const RaceTime now = shown(), then = following(now, at(), longest());
        if (then != now) time = then;
    }
};

}  // namespace kv
