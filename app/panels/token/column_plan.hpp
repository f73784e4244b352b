#pragma once
// Parts of a panel under each other, in whole pixels: what the plans of several panels begin with.
// Pure: no imgui.h.

#include <algorithm>
#include <cmath>

#include "app/shell/geometry.hpp"

namespace kv {

class ColumnPlan {
protected:
    ColumnPlan(Vec2 room, float unit)
        : width_(std::max(1.0f, std::floor(room.x))), height_(room.y), unit_(unit) {}

    float px(float logical) const {
        const float pixels = std::floor(logical * unit_ + 0.5f);
        return logical > 0 ? std::max(1.0f, pixels) : pixels;
    }
    // The next part: so much room above it, so high (logical pixels), as wide as the column.
    Rect take(float space_above, float height) {
        y_ += px(space_above);
        const Rect r{0, y_, width_, px(height)};
        y_ = r.bottom();
        return r;
    }

    float width_, height_, unit_, y_ = 0;
};

}  // namespace kv
