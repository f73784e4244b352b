#pragma once
// The picture beside the doors: the tokens of one request in rows of a page, its block table, the
// pool, and the ways between them. Tall where it stands beside the doors, wide under the sentences.
// Pure; the plan in logical pixels, from the window's upper left corner.

#include <cstdint>
#include <optional>
#include <span>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct PictureNeeds {
    std::uint32_t page = 4;    // tokens of a block
    std::uint32_t n_rows = 1;  // of the request at the last step, so that nothing moves on the way
    std::uint32_t n_blocks = 12;
    std::uint32_t n_steps = 1;
};

struct PicturePlan {
    bool wide = false;
    Rect sentence, step;  // what happens now; "step 2 of 6"
    Rect offsets;         // the line of offsets over the chips
    Rect tag;
    Rect chips;  // of all rows
    float chip_pitch = 0, row_pitch = 0, chip_w = 0, chip_h = 0;
    float logical_x = 0, logical_w = 0, physical_x = 0, physical_w = 0, entry_h = 0;
    Rect pool_head, pool;
    std::uint32_t columns = 6;
    float cell_w = 0, cell_h = 0, cell_gap = 0,
          gutter = 0;       // a gutter lies above each row of blocks
    float first_track = 0;  // of the lines
    std::optional<float> rule;
    Rect sum;                   // tokens times bytes
    std::optional<Rect> prose;  // what it means
    Rect play, track;           // the button; the line with a dot for each step

    Rect chip(std::uint32_t row, std::uint32_t offset) const;
    Rect logical(std::uint32_t row) const;
    Rect physical(std::uint32_t row) const;
    Rect cell(std::uint32_t block) const;
};
PicturePlan plan_picture(const Rect& room, const PictureNeeds& needs);

// What the step at the cursor stored: tokens of the first request, and the blocks they came into.
struct StoredNow {
    std::uint32_t first = 0, n = 0;
    List<TokenPlace> places;  // of each token
};
StoredNow stored_now(const RunView& run);

// The lines of a picture, one for each entry of the table that has a block.
struct PictureLine {
    std::uint32_t row;
    BlockId block;
    List<Vec2> points;
};
List<PictureLine> lines_of(const PicturePlan& plan, const Table& table);

// The place on a way after that share of its length; and where something stands that does not move:
// in the middle of the way's last level piece.
Vec2 point_on(std::span<const Vec2> points, float share);
Vec2 rest_on(std::span<const Vec2> points);

}  // namespace kv
