#include "app/frame/minute/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr std::array kWidths{520.0f, 460.0f, 400.0f, 340.0f};  // logical pixels, as the next ones
constexpr float kMargin = 12;  // of the card to the edge of the window
constexpr float kApart = 16;   // of the card to a lit part
constexpr float kGrid = 8;     // from one place that is tried to the next
constexpr float kCorner = 16;  // of the card, which the pointer keeps off
constexpr float kReach = 18;   // width of the pointer at the card
constexpr float kPointer = 0.8f * kReach, kBeside = 1.6f * kReach;  // its length; card to part
constexpr float kAskew = 0.1f;  // cost of a pixel between the middles; off the distance it is 1

float gap_between(float a, float a_end, float b, float b_end) {
    return std::max({0.0f, b - a_end, a - b_end});
}
float distance(const Rect& a, const Rect& b) {
    const float x = gap_between(a.x, a.right(), b.x, b.right()),
                y = gap_between(a.y, a.bottom(), b.y, b.bottom());
    return std::sqrt(x * x + y * y);
}
float shared_area(const Rect& a, const Rect& b) {
    const float w = std::min(a.right(), b.right()) - std::max(a.x, b.x),
                h = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
    return w > 0 && h > 0 ? w * h : 0;
}

class Placing {
public:
    explicit Placing(const CardNeeds& needs)
        : needs_(needs), area_(needs.area.inset(std::round(kMargin * needs.unit))) {}

    struct Place {
        Rect box;
        float hidden = std::numeric_limits<float>::max();  // square pixels of the lit parts
        float cost = std::numeric_limits<float>::max();
    };
    // The place with the least of `needs.lit` under it, and of those the nearest to the last part.
    // Every place of a grid is tried.
    Place best(float width) const {
        const float w = std::min(std::round(width * needs_.unit), area_.w);
        const float h = std::min(needs_.height_of(w), area_.h);
        const float step = std::max(4.0f, std::round(kGrid * needs_.unit));
        Place best;
        float y = area_.y;
        while (y + h <= area_.bottom() + 0.5f) {
            float x = area_.x;
            while (x + w <= area_.right() + 0.5f) {
                const Rect box{x, y, w, h};
                const Place place{.box = box, .hidden = hidden_by(box), .cost = cost(box)};
                if (std::pair(place.hidden, place.cost) < std::pair(best.hidden, best.cost))
                    best = place;
                x += step;
            }
            y += step;
        }
        return best;
    }

private:
    float hidden_by(const Rect& box) const {
        const Rect around = box.inset(-std::round(kApart * needs_.unit));
        float sum = 0;
        for (const Rect& lit : needs_.lit) sum += shared_area(around, lit);
        return sum;
    }
    // What a place of the card costs: best is beside the last part, at the distance of the pointer,
    // and level with the part rather than askew.
    float cost(const Rect& box) const {
        if (needs_.lit.empty())
            return distance({box.center().x, box.center().y, 0, 0},
                            {area_.center().x, area_.center().y, 0, 0});
        const Rect& last = needs_.lit.back();
        const float off = std::abs(distance(box, last) - kBeside * needs_.unit);
        const Vec2 a = box.center(), b = last.center();
        return off + kAskew * math::hypot(a.x - b.x, a.y - b.y);
    }

    const CardNeeds& needs_;
    Rect area_;
};

// The pointer on the side of the card that looks at the part.
CardPlan::Pointer pointer_to(const Rect& box, const Rect& part, float unit) {
    const float half = std::round(kReach / 2 * unit), out = std::round(kPointer * unit),
                corner = std::round(kCorner * unit) + half;
    const Vec2 middle = part.center();
    const float x = std::clamp(middle.x, box.x + corner, box.right() - corner),
                y = std::clamp(middle.y, box.y + corner, box.bottom() - corner);
    const float left = box.x - part.right(), right = part.x - box.right(),
                above = box.y - part.bottom(), below = part.y - box.bottom();
    const float most = std::max({left, right, above, below});
    if (most == left) return {{box.x - out, y}, {box.x, y - half}, {box.x, y + half}};
    if (most == right)
        return {{box.right() + out, y}, {box.right(), y - half}, {box.right(), y + half}};
    if (most == above) return {{x, box.y - out}, {x - half, box.y}, {x + half, box.y}};
    return {{x, box.bottom() + out}, {x - half, box.bottom()}, {x + half, box.bottom()}};
}

}  // namespace

bool have_common_area(const Rect& a, const Rect& b) {
    return shared_area(a, b) > 0;
}

List<Rect> cover_around(const Rect& window, std::span<const Rect> holes) {
    List<Rect> left{window};
    for (const Rect& hole : holes) {
        List<Rect> next;
        for (const Rect& r : left) {
            if (!have_common_area(r, hole)) {
                next.push_back(r);
                continue;
            }
            const float x0 = std::max(r.x, hole.x), x1 = std::min(r.right(), hole.right()),
                        y0 = std::max(r.y, hole.y), y1 = std::min(r.bottom(), hole.bottom());
            const std::array pieces{
                Rect{r.x, r.y, r.w, y0 - r.y}, Rect{r.x, y1, r.w, r.bottom() - y1},
                Rect{r.x, y0, x0 - r.x, y1 - y0}, Rect{x1, y0, r.right() - x1, y1 - y0}};
            for (const Rect& piece : pieces)
                if (piece.w > 0 && piece.h > 0) next.push_back(piece);
        }
        left = std::move(next);
    }
    return left;
}

CardPlan plan_card(const CardNeeds& needs) {
    const Placing placing(needs);
    Placing::Place best;
    for (const float width : kWidths) {
        const Placing::Place place = placing.best(width);
        if (place.hidden < best.hidden) best = place;
        if (best.hidden == 0) break;
    }
    CardPlan plan{.box = best.box, .pointer = {}};
    if (!needs.lit.empty()) plan.pointer = pointer_to(plan.box, needs.lit.back(), needs.unit);
    return plan;
}

}  // namespace kv
