#include "app/panels/present_layout.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr float kWidth = 1920, kHeight = 1080, kMargin = 48;

}  // namespace

PresentPlan layout_present(const Rect& room) {
    PresentPlan plan;
    plan.unit = std::min(room.w / kWidth, room.h / kHeight);
    // The room in pixels of the design: as large as the design, or larger in one direction.
    const float w = room.w / plan.unit, h = room.h / plan.unit;
    const float right = w - kMargin, inner = w - 2 * kMargin, low = h - kHeight;
    const auto place = [&](float x, float y, float width, float height) {
        const float x0 = std::round(room.x + x * plan.unit),
                    y0 = std::round(room.y + y * plan.unit);
        return Rect{x0, y0, std::round(room.x + (x + width) * plan.unit) - x0,
                    std::round(room.y + (y + height) * plan.unit) - y0};
    };
    plan.title = place(kMargin, 20, inner, 44);
    plan.equation = place(kMargin, 100, inner, 200);
    const float middle = kMargin + std::floor(inner * 0.46f);
    plan.bars = place(kMargin, 352, middle - 40 - kMargin, 420 + low);
    plan.chart = place(middle + 40, 352, right - middle - 40, 436 + low);
    plan.rule_y = std::round(room.y + (820 + low) * plan.unit);
    plan.caption = place(kMargin, 840 + low, inner - 260, 72);
    plan.page = place(right - 260, 840 + low, 260, 72);
    plan.buttons = place(right - 480, 974 + low, 480, 58);
    plan.prose = place(kMargin, 921 + low, inner - 512, 138);
    return plan;
}

}  // namespace kv
