#pragma once
// The ways of the lines from table entries to blocks: right, down a shared channel, and left
// through the gutter above the block's row, into its top. Each line has its own track in the
// channel and in the gutter, and the order of the tracks keeps crossings few. Pure; pixels.

#include <cstdint>
#include <span>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct LineEnd {
    Vec2 from;              // the middle of the entry's right edge
    Vec2 to;                // the middle of the block's upper edge
    std::uint32_t row = 0;  // of the pool: lines to one row share its gutter
};
struct LineRoom {
    float first_track = 0, track_pitch = 5;  // of the channel, from the left
    float above_block = 8;                   // of the lowest track of a gutter
    float gutter_pitch = 3, gutter = 14;     // distance of its tracks, and its height
    float top = 0;                           // no track stands above it
};
// One path for each end, in the order given. Where a gutter has no room for more tracks, its
// uppermost one is shared.
List<List<Vec2>> route_lines(std::span<const LineEnd> ends, const LineRoom& room);

}  // namespace kv
