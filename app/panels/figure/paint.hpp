#pragma once
// Paints a plan: it knows pieces, and no figure. Internal to the room.

#include "app/panels/figure/plan/plan.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv::figure {

struct Moment {
    std::uint32_t key = 0;
    float share = 1;  // how far those that come with it have come
};
// `origin` in pixels; a unit of `ui` is a unit of the plan.
void paint(const Ui& ui, const Plan& plan, Vec2 origin, const Moment& moment);
// The topmost piece with a caption at that point of the plan.
const Piece* piece_at(const Plan& plan, Vec2 point, std::uint32_t key);

}  // namespace kv::figure
