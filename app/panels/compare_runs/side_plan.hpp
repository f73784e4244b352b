#pragma once
// Where the parts of one side of a comparison of runs stand: title, tokens, what is stored, what
// was predicted. Both sides of one size and need get the same plan, so that the eye can go across.
// Pure; pixels from the room's upper left corner.

#include <cstdint>
#include <optional>

#include "app/shell/geometry.hpp"

namespace kv {

inline constexpr std::uint32_t kPairColumns = 16;

struct PairSideNeeds {
    float unit = 1;
    std::uint32_t n_tokens = 0;  // recorded
    std::uint32_t anchor = 0;    // the token that has to be in view
    std::uint32_t block_size = 16;
    std::uint32_t n_blocks = 0;                    // stored
    bool has_note = false;                         // a line says where the sides part
    std::int64_t row_scroll = 0, line_scroll = 0;  // from where they follow the anchor
};

struct PairSidePlan {
    Rect title;
    float gutter = 0;  // the row's first index stands left of the columns
    float pitch_x = 0, pitch_y = 0, chip_w = 0, chip_h = 0, chips_y = 0;
    std::uint32_t first_row = 0, n_rows = 0;       // of 16 tokens
    std::optional<Rect> rows_left, rows_after;     // say how many rows stand above and below
    std::int64_t row_scroll = 0, line_scroll = 0;  // as far as there is something to see
    std::optional<Rect> note;
    Rect stored_head;
    std::optional<Rect> blocks_left, blocks_after;
    float stored_y = 0, line_pitch = 0, line_h = 0;
    float cell_pitch = 0, cell_gap = 0, block_pitch = 0, id_w = 0, id_gap = 0;
    std::uint32_t per_line = 1, first_line = 0, n_lines = 0;  // lines of blocks
    Rect prediction_head, prediction;
    std::uint32_t n_bars = 0;
    float bar_pitch = 0;
    float height = 0;

    Rect chip(std::uint32_t token) const;
    Rect block_id(std::uint32_t block) const;
    Rect slot(std::uint32_t block, std::uint32_t slot) const;
    bool shows_token(std::uint32_t token) const;
    bool shows_block(std::uint32_t block) const;
    std::optional<std::uint32_t> token_at(Vec2 p, std::uint32_t n_tokens) const;
    std::optional<std::uint32_t> block_at(Vec2 p, std::uint32_t block_size,
                                          std::uint32_t n_blocks) const;
};
PairSidePlan plan_pair_side(Vec2 room, const PairSideNeeds& needs);

}  // namespace kv
