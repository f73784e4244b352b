#pragma once
// One side of a comparison where its tokens have no room as words: all of them as one strip, a cell
// per token and a gap per block; a few of them unfolded below as words; the answer and the words
// before it; the prediction; what is stored. Nothing is folded away and nothing scrolls, however
// long the text is. Pure; pixels from the room's upper left corner.

#include <cstdint>
#include <optional>
#include <span>

#include "app/panels/compare_runs/side/rows_plan.hpp"
#include "core/base/reused.hpp"

namespace kv {

// The words below a strip: the tokens from `first` to `last`.
struct WordRange {
    std::uint32_t first = 0, last = 0;
    std::uint32_t size() const { return last - first + 1; }
    bool contains(std::uint32_t token) const { return token >= first && token <= last; }
    friend bool operator==(const WordRange&, const WordRange&) = default;
};

struct PairStripNeeds {
    float unit = 1;
    std::uint32_t n_tokens = 0;  // recorded, of the side that has more
    std::uint32_t block_size = 16;
    WordRange unfolded = {};
    std::span<const float> widths = {};  // that the unfolded words would like, pixels
};

struct PairStripPlan : PairSideParts {
    Rect key;         // what a cell is
    Rect strip;       // all cells
    Rect ticks;       // under the first token of some blocks
    Rect lead;        // between the strip and its unfolded part
    WordRange shown;  // of the unfolded words those that fit
    List<Rect> words;
    Rect indices;  // of the words
    Rect answer;
    Rect rule;  // above what is stored, a line

    // Cells without a gap where there are more tokens than pixels: one column stands for several.
    double cell_w = 0, block_gap = 0;
    std::uint32_t n_tokens = 0, block_size = 16;

    double x_of(std::uint32_t token) const;  // the left edge
    Rect cell(std::uint32_t token) const;    // with a pixel between two where there is room
    Rect cells(const WordRange& range) const;
    bool has_gaps() const { return cell_w >= 3; }
    std::uint32_t token_at_x(float x) const;
    std::optional<std::uint32_t> word_at(Vec2 p) const;
    // Blocks between two numbers under the strip, so that they stand apart.
    std::uint32_t tick_blocks(float apart) const;
};
PairStripPlan plan_pair_strip(Vec2 room, const PairStripNeeds& needs);

}  // namespace kv
