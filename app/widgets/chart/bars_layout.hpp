#pragma once
// Lengths of bars. Pure: no imgui.h. Lengths are whole pixels; what is not zero is at least one
// pixel long; the parts of a stacked bar sum exactly to its width. NaN, infinity and negatives
// count as zero.

#include <optional>
#include <span>
#include <vector>

#include "app/shell/geometry.hpp"

namespace kv {

// `full` is the amount that fills `width`.
float bar_length(double amount, double full, float width);

// Whole pixels for each amount, summing to exactly `width` (a whole number); largest remainder, at
// least 1 for each non-zero amount while there are pixels enough. All zero: all zero.
std::vector<float> share_pixels(std::span<const double> amounts, float width);

struct StackPart {
    std::size_t segment = 0;  // index of the amount; amounts.size(): free room up to the capacity
    float x = 0, w = 0;       // from the bar's left edge
    bool overflow = false;    // beyond the capacity
};
struct StackPlan {
    // Left to right, no gaps; a segment across the capacity is two parts.
    std::vector<StackPart> parts;
    std::optional<float> capacity_x;  // set when something lies beyond it
    bool is_free(const StackPart& part, std::size_t n_segments) const {
        return part.segment == n_segments;
    }
};
// capacity 0: none, the segments fill the width. Total beyond the capacity: the bar shows the
// total.
StackPlan layout_stack(std::span<const double> amounts, double capacity, float width);

}  // namespace kv
