#pragma once
// What a strip looks like: pixel columns of the memory over time, as runs of equal columns. Pure:
// no imgui.h, tested without a window.

#include <memory>
#include <span>
#include <vector>

#include "app/panels/race/playhead.hpp"

namespace kv {

// Columns in a row that look alike. The heights are whole pixels, from below; with `free` they add
// up to the strip.
struct StripRun {
    int x = 0, w = 0;
    int live = 0, reserved = 0, internal = 0, external = 0, free = 0;
    friend bool operator==(const StripRun&, const StripRun&) = default;
};
void fill_runs(std::span<const RaceColumn> columns, u64 pool, int height,
               std::vector<StripRun>& runs);

// The strips of a race for one size and one part of its time, made anew only when one of these
// changes.
class RaceStrips {
public:
    struct Size {
        int w = 1, h = 1;
        friend bool operator==(const Size&, const Size&) = default;
    };
    void follow(const std::shared_ptr<const RacedWorkload>& race, const RaceTime& time, Size size);
    std::span<const StripRun> of(std::size_t lane) const { return runs_[lane]; }

private:
    std::shared_ptr<const RacedWorkload> race_;
    RaceTime time_;
    Size size_;
    std::vector<RaceColumn> columns_;
    std::vector<std::vector<StripRun>> runs_;
};

// The column of an iteration, in pixels from the strip's left, and back.
float x_of(const RaceTime& time, double iteration, float width);
double iteration_at(const RaceTime& time, float x, float width);

}  // namespace kv
