#include "app/panels/present/run/plan.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr float kTitleTop = 46, kTitleHeight = 40, kFootHeight = 260;  // of the foot, with its rule
constexpr float kPoolPart = 0.627f;                                    // beside it stands the chart

}  // namespace

PresentRunPlan plan_present_run(const Rect& room, const PresentRunNeeds& needs,
                                const PresentLook& look) {
    const float unit = std::max(0.01f, std::min(room.w / kPresentWidth, room.h / kPresentHeight));
    const float w = room.w / unit, h = room.h / unit;
    const float s = std::clamp(look.text_scale, 0.5f, 0.45f * h / kFootHeight);
    const float inner = w - 2 * kPresentMargin, right = w - kPresentMargin;
    const auto at = [&](float x) { return std::round(x * unit); };
    const auto place = [&](float x, float y, float width, float height) {
        const float x0 = room.x + at(x), y0 = room.y + at(y);
        return Rect{x0, y0, room.x + at(x + width) - x0, room.y + at(y + height) - y0};
    };
    const float title = std::max(kTitleTop, look.bar / unit + 6), foot = h - kFootHeight * s;
    const Rect tokens = place(kPresentMargin, title + kTitleHeight + 6, w - kPresentMargin - 16,
                              foot - 30 - (title + kTitleHeight + 6));
    const float pool_w = std::floor(inner * kPoolPart);
    PresentRunPlan plan;
    static_cast<RunPicturePlan&>(plan) = plan_run_picture(tokens, at(pool_w), unit, needs);
    plan.unit = unit, plan.words = s * unit;
    plan.title = place(kPresentMargin, title, inner, kTitleHeight);
    const float chart_x = room.x + at(kPresentMargin + pool_w + 56);
    plan.chart = {chart_x, plan.pool.y, room.x + at(right) - chart_x, plan.pool.h};
    plan.rule_y = room.y + at(foot);
    plan.caption = place(kPresentMargin, foot + 20 * s, inner - 260 * s, 72 * s);
    plan.page = place(right - 260 * s, foot + 20 * s, 260 * s, 72 * s);
    plan.buttons = place(right - 480 * s, h - 106 * s, 480 * s, 58 * s);
    plan.prose = place(kPresentMargin, foot + 101 * s, inner - 440 * s, 138 * s);
    return plan;
}

}  // namespace kv
