#pragma once
// Where the charts of Memory stand: beside each other where each has a plot worth reading, else one
// above the other, else only as many as the height has room for. Pure; logical pixels from the
// room's upper left corner.

#include <cstddef>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

List<Rect> place_pair_charts(Vec2 room, std::size_t n);

}  // namespace kv
