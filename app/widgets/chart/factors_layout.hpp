#pragma once
// Where the boxes of an equation stand: value in a box, "×" between, label beneath. Pure: no
// imgui.h. A row that does not fit wraps; a wrapped row begins with its own "×".

#include <optional>
#include <span>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct FactorSize {
    float value = 0, label = 0;  // text widths in pixels
};

// Pixels. factor_metrics(ui) in factors.hpp gives the design's numbers.
struct FactorMetrics {
    float box_h = 38;
    float min_w = 40;     // of a box
    float pad = 9;        // beside the value
    float gap = 14;       // between boxes, where the "×" stands
    float label_gap = 4;  // box to label
    float label_h = 17;
    float row_gap = 8;
    float stretch = 24;  // most that a box grows to fill its row
};

struct FactorBox {
    Rect box, label;
    std::optional<Vec2> times;  // centre of the "×" before it
};

struct FactorPlan {
    List<FactorBox> boxes;  // in the order given
    Vec2 size;
    std::size_t rows = 0;
    std::optional<std::size_t> at(Vec2 p) const;  // box or label
};
FactorPlan layout_factors(std::span<const FactorSize> sizes, float room, const FactorMetrics& m);

}  // namespace kv
