#include "app/panels/whatif/plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr float kBetweenParts = 4, kNarrowPanel = 900;
constexpr float kLeftShare = 1180.0f / 1912;
constexpr float kCurveShare = 0.625f, kLowCurveShare = 0.55f;
constexpr float kLeastCurve = 270;  // in a narrow panel
constexpr float kLeastBelow = 480;  // height of what stands under the answer

// Tens of percent around both: of 0.64 to 0.87 it is 0.6 to 0.9, of 0.61 to 0.87 it is 0.5 to 0.9.
void fit_tens(double least, double most, MemoryPlot& plot) {
    constexpr double kClear = 0.2;  // of ten percent, between a curve and the edge
    plot.low = std::max(0.0, std::floor(10 * least - kClear) / 10);
    plot.high = std::max(plot.low + 0.1, std::min(1.0, std::ceil(10 * most + kClear) / 10));
}

}  // namespace

WhatIfPlan plan_whatif(Vec2 room, std::size_t answer_lines) {
    WhatIfPlan plan;
    const bool is_low = room.y < 800;
    plan.title_size = is_low ? 20 : 26;
    plan.answer_line = is_low ? 20 : 26;
    const float more = static_cast<float>(answer_lines - 1) * plan.answer_line;
    plan.answer = {0, 0, room.x, (is_low ? 108.0f : 132.0f) + more};
    const float top = plan.answer.bottom() + kBetweenParts;
    if (room.x < kNarrowPanel) {
        float y = top;
        const auto next = [&](float height) {
            const Rect rect{0, y, room.x, height};
            y += height + kBetweenParts;
            return rect;
        };
        // As high as its room, so that a look without scrolling sees the whole of it.
        plan.curve = next(std::clamp(room.y - top, kLeastCurve, 360.0f));
        plan.again = next(190);
        plan.first_token = next(190);
        plan.points = next(320);
        plan.assumptions = next(330);
        plan.height = y - kBetweenParts;
        return plan;
    }
    const float below = std::max(kLeastBelow, room.y - top);
    const float left = std::round(room.x * kLeftShare), x = left + kBetweenParts;
    // The curve gives what the answer takes more; a table has no line to spare.
    const float curve = std::round((below + more) * (is_low ? kLowCurveShare : kCurveShare)) - more;
    const float small = std::floor((curve - kBetweenParts) / 2);
    plan.curve = {0, top, left, curve};
    plan.again = {x, top, room.x - x, small};
    plan.first_token = {x, plan.again.bottom() + kBetweenParts, room.x - x,
                        curve - small - kBetweenParts};
    const float low = plan.curve.bottom() + kBetweenParts;
    plan.points = {0, low, left, top + below - low};
    plan.assumptions = {x, low, room.x - x, plan.points.h};
    plan.height = top + below;
    return plan;
}

float MemoryPlot::x(double bytes) const {
    const double share = math::log2(bytes / least) / math::log2(most / least);
    return plot.x + plot.w * static_cast<float>(share);
}

float MemoryPlot::y(double value) const {
    return plot.bottom() - plot.h * static_cast<float>((value - low) / (high - low));
}

MemoryPlot memory_plot(const WeighedRecording& weighed, const Rect& plot) {
    const auto base = static_cast<double>(weighed.base().bytes);
    MemoryPlot to{.plot = plot, .least = base / 2, .most = 2 * base};
    for (const WhatIfCurve& curve : weighed.curves)
        for (const WhatIfPoint& point : curve.points)
            to.most = std::max(to.most, static_cast<double>(point.bytes));
    return to;
}

void fit_rates(const WeighedRecording& weighed, MemoryPlot& plot) {
    double least = 1, most = weighed.summary.without_end.outcome.hit_rate();
    for (const WhatIfCurve& curve : weighed.curves)
        for (const WhatIfPoint& point : curve.points)
            least = std::min(least, point.outcome.hit_rate());
    fit_tens(least, most, plot);
}

void fit_choices(const WhatIfChoices& choices, MemoryPlot& plot) {
    double least = 1, most = 0;
    for (const WhatIfChoice& choice : choices) {
        most = std::max(most, choice.most);
        for (const auto& point : choice.points)
            if (point) least = std::min(least, point->outcome.hit_rate());
    }
    fit_tens(std::min(least, most), most, plot);
}

float choice_x(const Rect& plot, std::size_t i, std::size_t n) {
    return plot.x + plot.w * (static_cast<float>(i) + 0.5f) / static_cast<float>(n);
}

double round_step(double most, int steps) {
    const double raw = std::max(most, 1e-12) / steps;
    const double power = math::pow(10.0, std::floor(math::log10(raw)));
    for (const double times : {1.0, 2.0, 2.5, 5.0})
        if (times * power >= raw * (1 - 1e-9)) return times * power;
    return 10 * power;
}

std::vector<MemoryTick> memory_ticks(const WeighedRecording& weighed) {
    const MemoryPlot plot = memory_plot(weighed, {});
    const WhatIfPoint& base = weighed.base();
    std::vector<MemoryTick> ticks;
    for (double factor = 0.5;; factor *= 2) {
        const double bytes = factor * static_cast<double>(base.bytes);
        if (bytes > plot.most * 1.0001) return ticks;
        ticks.push_back({factor, static_cast<u64>(std::llround(bytes)),
                         static_cast<u64>(std::llround(factor * static_cast<double>(base.pool)))});
    }
}

}  // namespace kv
