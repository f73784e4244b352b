#pragma once
// Where everything of the answer stands, in logical pixels from the top left corner of the panel.
// Pure: no imgui.h, tested without a window. A wide room has the curve at the left with the points
// under it, and beside them two small charts over the assumptions; a narrow one has all of it one
// under the other. A low room is scrolled.

#include <string>
#include <vector>

#include "app/panels/whatif/weighed.hpp"
#include "app/shell/geometry.hpp"

namespace kv {

struct WhatIfPlan {
    Rect answer, curve, again, first_token, points, assumptions;
    float title_size = 26, answer_line = 26;
    float height = 0;  // more than the room: scrolled
};
// The answer may take more than one line.
WhatIfPlan plan_whatif(Vec2 room, std::size_t answer_lines = 1);

// A chart of numbers over memory: the axis is logarithmic, so that a doubling is as wide wherever
// it is. Any unit.
struct MemoryPlot {
    Rect plot;
    double least = 1, most = 2;  // bytes
    double low = 0, high = 1;    // of what is drawn

    float x(double bytes) const;
    float y(double value) const;
};

// The plot from half of the pool that all is held against to the last point of any curve.
MemoryPlot memory_plot(const WeighedRecording& weighed, const Rect& plot);
// Tens of percent around all curves: 0.5 to 1.
void fit_rates(const WeighedRecording& weighed, MemoryPlot& plot);
// Makes the plot fit around all choices of block size or order.
void fit_choices(const WhatIfChoices& choices, MemoryPlot& plot);
// Choices stand beside each other, each in the middle of its share of the room.
float choice_x(const Rect& plot, std::size_t i, std::size_t n);
// 1, 2, 2.5 or 5 times a power of ten, so that at most so many steps reach `most`.
double round_step(double most, int steps);

struct MemoryTick {
    double factor;  // of the pool that all is held against
    u64 bytes, blocks;
};
std::vector<MemoryTick> memory_ticks(const WeighedRecording& weighed);

}  // namespace kv
