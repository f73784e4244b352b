#pragma once
// Where the parts of the Stage stand. Two densities from one code: Learn is larger and has the
// sentence and the bar of the whole pool; Explore is closer. Pure; pixels from the room's upper
// left corner; `unit` is pixels per logical pixel.

#include <cstdint>
#include <optional>

#include "app/panels/stage/plan/grid.hpp"
#include "app/panels/stage/plan/rows.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct StageNeeds {
    float unit = 1;
    float spill = 0;  // right of the room that lines may use: the padding of the panel
    std::uint32_t block_size = 16;
    std::uint32_t n_rows = 0;  // logical blocks of the request in focus
    std::uint32_t anchor = 0;  // the row that has to be in view
    std::int64_t scroll = 0;   // rows
    std::uint32_t n_others = 0;
    std::uint32_t longest_other = 0;  // blocks
    std::uint32_t n_blocks = 0, n_host = 0;
    std::uint32_t columns = 0;    // of the pool, kept; 0: not yet chosen
    bool has_words = false;       // the first line says how many there are
    bool has_pieces = false;      // some stand under brackets, where there is room
    bool has_draft = false;       // of the request in focus: its box opens where there is room
    std::uint32_t n_drafter = 0;  // blocks of the draft model's own pool
};

// A row of chips, or the quiet line where rows are left out.
struct StageRow {
    float y = 0;
    std::uint32_t entry = 0;
    std::uint32_t left_out = 0;  // rows; then the line stands here and there are no chips
};

struct StagePlan {
    bool learn = false;
    std::optional<Rect> sentence, headline;
    Rect offsets = {};  // the line of offsets, with the heads of the table columns
    Rect tag = {};      // beside the first row
    List<StageRow> rows;
    RowsShown shown;
    Rect chips = {};  // all rows, from the first chip to the last
    float chip_pitch = 0, chip_w = 0, chip_h = 0, row_pitch = 0;
    // A row whose chips would be too narrow is folded into lines of so many; 0: it has one line.
    std::uint32_t per_line = 0, block_size = 0;
    float line_pitch = 0;
    bool pieces = false;  // there is room for brackets under the chips
    float logical_x = 0, logical_w = 0, physical_x = 0, physical_w = 0, entry_h = 0;
    // The places of a draft: what became of its slots, the box, and what the draft model holds of
    // the request.
    std::optional<Rect> draft_line, draft_box, drafter_lane;
    Rect strips = {};
    float strip_pitch = 0, strip_h = 0;
    std::uint32_t n_strips = 0;  // drawn; the others are counted in a line under them
    float strip_block_pitch = 0, strip_bar_pitch = 0;
    Rect pool_head = {}, pool = {};
    std::optional<Rect> host_head, host, drafter_head, drafter, bar, bar_key;
    float first_track = 0, track_pitch = 0;
    std::uint32_t n_tracks = 0;

    std::uint32_t lines() const;  // of a row
    std::uint32_t line_of(std::uint32_t offset) const {
        return per_line == 0 ? 0 : offset / per_line;
    }
    Rect chip(const StageRow& row, std::uint32_t offset) const;
    Rect whole_row(const StageRow& row) const;  // all lines of its chips
    Rect logical(const StageRow& row) const;
    Rect physical(const StageRow& row) const;
    Rect strip(std::uint32_t i) const;
};
StagePlan plan_stage(Vec2 room, const StageNeeds& needs);

}  // namespace kv
