#pragma once
// Where the parts of one glossary entry stand: name at the left, the symbols of others as chips at
// the right, the meaning beneath. Pure: no imgui.h. Chips that do not fit beside the name begin a
// line of their own and wrap; nothing is ever wider than the row.

#include <span>
#include <vector>

#include "app/shell/geometry.hpp"

namespace kv {

// Pixels.
struct GlossaryMetrics {
    float pad_x = 8, pad_y = 8;
    float line_h = 22;  // name and chips
    float chip_h = 20, chip_gap = 4;
    float name_gap = 16;  // least room between name and chips
    float meaning_gap = 2;
};

struct GlossaryRowPlan {
    Rect name;
    std::vector<Rect> chips;  // in the order given
    Rect meaning;
    float height = 0;
};

// The room of a meaning in a row of that width, which decides how high its text is.
float glossary_meaning_width(float row_width, const GlossaryMetrics& m);

// The parts from the row's upper left corner. Widths are those of the texts; a chip's includes its
// frame.
GlossaryRowPlan layout_glossary_row(float name_width, std::span<const float> chip_widths,
                                    float meaning_height, float row_width,
                                    const GlossaryMetrics& m);

}  // namespace kv
