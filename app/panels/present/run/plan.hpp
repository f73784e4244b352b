#pragma once
// Where the parts of Present stand while something runs: designed at 1920 x 1080, scaled to fit.
// The tokens are those of the Stage at a larger density. Pure; pixels.

#include "app/panels/stage/plan/plan.hpp"
#include "core/base/reused.hpp"

namespace kv {

constexpr float kPresentTokens = 1.77f;  // chips of 23 instead of 13
constexpr float kPresentPool = 1.5f;     // ids of 18 instead of 12

struct PresentRunPlan {
    float unit = 1;
    Rect title;
    Vec2 origin;                  // of the plan below
    StagePlan stage;              // rows and table, and where the pool's head and the pool stand
    Rect pool_head, pool, chart;  // on the screen
    float band_y = 0, band_pitch = 4;  // where the lines turn left, between rows and pool
    float rule_y = 0;
    Rect caption, page, prose, buttons;
};
struct PresentRunNeeds {
    std::uint32_t block_size = 16, n_rows = 0, anchor = 0;
};
PresentRunPlan plan_present_run(const Rect& room, const PresentRunNeeds& needs);

// From a table entry to its block: right, down, left through the band, down the gap left of the
// block's column, and into its side. `place` counts the lines from the first, `beside` those that
// share the gap.
List<Vec2> present_line(const PresentRunPlan& plan, const Rect& entry, const Rect& cell, float gap,
                        std::size_t place, std::size_t beside);

}  // namespace kv
