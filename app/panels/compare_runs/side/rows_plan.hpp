#pragma once
// Where the parts of one side of a comparison of runs stand where all its tokens have room as
// words: title, tokens in rows, what is stored, what was predicted. Both sides get one plan, so
// that the eye can go across. Pure; pixels from the room's upper left corner.

#include <cmath>
#include <cstdint>
#include <optional>

#include "app/shell/geometry.hpp"

namespace kv {

inline constexpr std::uint32_t kPairColumns = 16;

struct WholePixels {
    float unit;
    float px(float logical) const { return std::floor(logical * unit + 0.5f); }
};

// What the plan needs: the larger number of both sides, so that one plan serves both.
struct PairSideNeeds {
    float unit = 1;
    std::uint32_t n_tokens = 0;  // recorded
    std::uint32_t block_size = 16;
    std::uint32_t n_blocks = 0;  // stored
    bool has_note = false;       // a line says where the sides part
};

// What every side has, however its tokens are drawn.
struct PairSideParts {
    Rect title, stored_head, prediction_head, prediction;
    float label_width = 0;  // of the bars
    std::uint32_t n_bars = 0;
    float bar_pitch = 0;
    float height = 0;
};

struct PairSidePlan : PairSideParts {
    float gutter = 0;  // the row's first index stands left of the columns
    float pitch_x = 0, pitch_y = 0, chip_w = 0, chip_h = 0, chips_y = 0;
    std::uint32_t n_rows = 0;  // of 16 tokens
    std::optional<Rect> note;
    float stored_y = 0, line_pitch = 0, line_h = 0;
    float cell_pitch = 0, cell_gap = 0, block_pitch = 0, id_w = 0, id_gap = 0;
    std::uint32_t per_line = 1, n_lines = 0;  // of blocks

    Rect chip(std::uint32_t token) const;
    Rect block_id(std::uint32_t block) const;
    Rect slot(std::uint32_t block, std::uint32_t slot) const;
    std::optional<std::uint32_t> token_at(Vec2 p, std::uint32_t n_tokens) const;
    std::optional<std::uint32_t> block_at(Vec2 p, std::uint32_t block_size,
                                          std::uint32_t n_blocks) const;
};
// The plan; nothing where the words would be cut, or not all rows and blocks fit.
std::optional<PairSidePlan> plan_pair_side(Vec2 room, const PairSideNeeds& needs);

}  // namespace kv
