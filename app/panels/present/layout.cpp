#include "app/panels/present/layout.hpp"

#include <algorithm>
#include <cmath>

namespace kv {

PresentPlan layout_present(const Rect& room, const PresentLook& look) {
    constexpr float kWords = 260, kTop = 46, kTitle = 40;
    PresentPlan plan;
    plan.unit = std::min(room.w / kPresentWidth, room.h / kPresentHeight);
    // The room in pixels of the design: as large as the design, or larger in one direction.
    const float w = room.w / plan.unit, h = room.h / plan.unit;
    const float s = std::clamp(look.text_scale, 0.5f, 0.45f * h / kWords);
    plan.words = s * plan.unit;
    const float right = w - kPresentMargin, inner = w - 2 * kPresentMargin, foot = h - kWords * s;
    const auto place = [&](float x, float y, float width, float height) {
        const float x0 = std::round(room.x + x * plan.unit),
                    y0 = std::round(room.y + y * plan.unit);
        return Rect{x0, y0, std::round(room.x + (x + width) * plan.unit) - x0,
                    std::round(room.y + (y + height) * plan.unit) - y0};
    };
    const float title = std::max(kTop, look.bar / plan.unit + 6);
    plan.title = place(kPresentMargin, title, inner, kTitle);
    const float equation = title + kTitle + 14;
    plan.equation = place(kPresentMargin, equation, inner, 200);
    const float parts = equation + 240, parts_h = std::max(40.0f, foot - 48 - parts);
    const float middle = kPresentMargin + std::floor(inner * 0.46f);
    plan.bars = place(kPresentMargin, parts, middle - 40 - kPresentMargin, parts_h);
    plan.chart = place(middle + 40, parts, right - middle - 40, parts_h + 16);
    plan.rule_y = std::round(room.y + foot * plan.unit);
    plan.caption = place(kPresentMargin, foot + 20 * s, inner - 260 * s, 72 * s);
    plan.page = place(right - 260 * s, foot + 20 * s, 260 * s, 72 * s);
    plan.buttons = place(right - 480 * s, h - 106 * s, 480 * s, 58 * s);
    plan.prose = place(kPresentMargin, foot + 101 * s, inner - 512 * s, 138 * s);
    return plan;
}

}  // namespace kv
