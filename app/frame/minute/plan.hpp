#pragma once
// Where the cover of the guided minute lies, and where its card stands: beside the last lit part,
// and over none of them. Pure; pixels.

#include <functional>
#include <optional>
#include <span>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

// The window without the holes, in rectangles that do not overlap.
List<Rect> cover_around(const Rect& window, std::span<const Rect> holes);

bool have_common_area(const Rect& a, const Rect& b);

struct CardNeeds {
    Rect area;            // of the window
    List<Rect> lit = {};  // what the card stands beside; the last one has its pointer
    float unit = 1;
    std::function<float(float width)> height_of;
};
struct CardPlan {
    Rect box;
    struct Pointer {
        Vec2 tip, from, to;  // the last two lie on the edge of the card
    };
    std::optional<Pointer> pointer;  // none: nothing is lit
};
// Plans the card as wide as it may be, and narrower where a wide one would lie over a part.
CardPlan plan_card(const CardNeeds& needs);

}  // namespace kv
