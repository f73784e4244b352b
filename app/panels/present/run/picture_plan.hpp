#pragma once
// A run as one picture in any room: the tokens of the request in focus with its table, lines, and
// the pool below. The tokens are those of the Stage at a larger density. Pure; pixels.

#include "app/panels/stage/plan/plan.hpp"
#include "core/base/reused.hpp"

namespace kv {

constexpr float kPresentTokens = 1.85f;  // chips of 24 instead of 13

// Small pages stand in columns side by side, so that they fill the width.
struct RowColumn {
    Vec2 origin;      // of the plan
    StagePlan stage;  // rows and table
};

struct RunPicturePlan {
    List<RowColumn> columns;
    Rect pool_head, pool;              // on the screen
    float pool_unit = 1;               // of its blocks and its head
    float band_y = 0, band_pitch = 4;  // where the lines turn left, between rows and pool
    std::size_t n_lines() const;
};
struct PresentRunNeeds {
    std::uint32_t block_size = 16, n_rows = 0, anchor = 0, n_blocks = 0;
    bool with_rows = true;  // false: the pool alone
};
// How many columns of rows pages of that size have.
std::size_t columns_of(std::uint32_t block_size);

// `tokens` is as wide as the lines may go; `pool_width`: the part of it that the pool may have.
// `unit`: pixels per pixel of the design.
RunPicturePlan plan_run_picture(const Rect& tokens, float pool_width, float unit,
                                const PresentRunNeeds& needs);

// Which line it is: of its column, of all of them, and of those that share a gap of the pool.
struct PoolLinePlace {
    std::size_t track = 0, band = 0, beside = 0;
};
// The line from a table entry to its block: right, down, left through the band, down the gap left
// of the block's column, and into its side.
List<Vec2> present_line(const RunPicturePlan& plan, const RowColumn& column, const Rect& entry,
                        const Rect& cell, float gap, const PoolLinePlace& place);

}  // namespace kv
