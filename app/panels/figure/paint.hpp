#pragma once
// Paints a plan: it knows pieces, and no figure. Internal to the room.

#include "app/panels/figure/plan/plan.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv::figure {

// The key that is painted, and how far the pieces that come with it have come, 0 to 1.
struct AtKey {
    std::uint32_t key = 0;
    float share = 1;
};
// `origin` in pixels; a unit of `ui` is a unit of the plan.
void paint(const Ui& ui, const Plan& plan, Vec2 origin, const AtKey& at);
// The topmost piece with a caption at that point of the plan.
const Piece* piece_at(const Plan& plan, Vec2 point, std::uint32_t key);

}  // namespace kv::figure
