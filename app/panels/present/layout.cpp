#include "app/panels/present/layout.hpp"

#include <algorithm>
#include <cmath>

namespace kv {

PresentPlan layout_present(const Rect& room) {
    PresentPlan plan;
    plan.unit = std::min(room.w / kPresentWidth, room.h / kPresentHeight);
    // The room in pixels of the design: as large as the design, or larger in one direction.
    const float w = room.w / plan.unit, h = room.h / plan.unit;
    const float right = w - kPresentMargin, inner = w - 2 * kPresentMargin,
                low = h - kPresentHeight;
    const auto place = [&](float x, float y, float width, float height) {
        const float x0 = std::round(room.x + x * plan.unit),
                    y0 = std::round(room.y + y * plan.unit);
        return Rect{x0, y0, std::round(room.x + (x + width) * plan.unit) - x0,
                    std::round(room.y + (y + height) * plan.unit) - y0};
    };
    plan.title = place(kPresentMargin, 20, inner, 44);
    plan.equation = place(kPresentMargin, 100, inner, 200);
    const float middle = kPresentMargin + std::floor(inner * 0.46f);
    plan.bars = place(kPresentMargin, 352, middle - 40 - kPresentMargin, 420 + low);
    plan.chart = place(middle + 40, 352, right - middle - 40, 436 + low);
    plan.rule_y = std::round(room.y + (820 + low) * plan.unit);
    plan.caption = place(kPresentMargin, 840 + low, inner - 260, 72);
    plan.page = place(right - 260, 840 + low, 260, 72);
    plan.buttons = place(right - 480, 974 + low, 480, 58);
    plan.prose = place(kPresentMargin, 921 + low, inner - 512, 138);
    return plan;
}

}  // namespace kv
