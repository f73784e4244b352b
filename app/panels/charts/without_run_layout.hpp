#pragma once
// Where things stand in the panels that wait for a run: the grid of small charts and the empty
// tracks of the transport. Pure: no imgui.h. Sizes are pixels; `unit` is pixels per logical pixel.

#include <optional>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct ChartGrid {
    int columns = 1, rows = 1;
    List<Rect> cells;  // reading order, from the room's upper left corner, whole pixels
    float height = 0;  // of all rows; more than the room when the charts would get too flat
};
// The grid with as many columns as make the charts as large as possible; the last row may have room
// left.
ChartGrid layout_chart_grid(Vec2 room, std::size_t charts, float unit);

// The transport: a line of text, then empty tracks. A low bar has one track; a high one has lanes,
// and the rows into which a step and a layer will unfold.
struct EmptyTransport {
    Rect sentence;
    List<Rect> lanes;  // 1 pixel high lines, or the one track of a low bar
    std::optional<Rect> blocks, layer, op;
    float label_width = 0;  // room left of the tracks for their names
};
EmptyTransport layout_empty_transport(Vec2 room, float unit);

}  // namespace kv
