#include "app/panels/timeline/plan.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

// Logical pixels.
constexpr float kTall = 120, kLabelRoom = 52, kTicks = 18, kLanePitch = 18, kMarkLane = 18,
                kZoom = 22, kZoomGap = 12, kTickRoom = 44, kLeastPitch = 17, kSidePitch = 13,
                kSideThick = 8, kSideThin = 5;

std::uint32_t round_tick_step(double least) {
    for (std::uint32_t power = 1;; power *= 10)
        for (const std::uint32_t m : {1u, 2u, 4u, 5u})
            if (m * power >= least || power >= 100'000'000) return m * power;
}

void plan_tall(const TimelineAsk& ask, Timeline& plan) {
    const auto px = [&](float logical) { return std::round(logical * ask.unit); };
    plan.tall = true;
    plan.label_width = px(kLabelRoom);
    const float left = plan.label_width, width = std::max(1.0f, ask.room.x - left);
    plan.ops = Rect{left, ask.room.y - px(kZoom), width, px(kZoom)};
    plan.layers = Rect{left, plan.ops->y - px(kZoomGap) - px(kZoom), width, px(kZoom)};
    plan.ticks = Rect{left, 0, width, px(kTicks)};
    plan.marks = Rect{left, plan.layers->y - px(kZoomGap) - px(kMarkLane), width, px(kMarkLane)};
    const float room = std::max(px(kLeastPitch), plan.marks->y - plan.ticks->bottom());
    const auto wanted = static_cast<float>(std::max<std::size_t>(1, ask.n_requests));
    plan.pitch = std::clamp(std::floor(room / wanted), px(kLeastPitch), px(kLanePitch));
    plan.n_lanes = std::min(ask.n_requests, static_cast<std::size_t>(room / plan.pitch));
    plan.lanes = {left, plan.ticks->bottom(), width, room};
    plan.thick = std::round(plan.pitch * 0.72f);
    plan.thin = std::max(px(3), std::round(plan.pitch * 0.42f));
}

void plan_low(const TimelineAsk& ask, Timeline& plan) {
    const auto px = [&](float logical) { return std::max(1.0f, std::round(logical * ask.unit)); };
    plan.lanes = {0, 0, ask.room.x, ask.room.y};
    const auto wanted = static_cast<float>(std::max<std::size_t>(1, ask.n_requests));
    plan.pitch = std::clamp(std::floor(ask.room.y / wanted), 1.0f, px(kLanePitch));
    plan.n_lanes = std::min(ask.n_requests, static_cast<std::size_t>(ask.room.y / plan.pitch));
    plan.thick = std::max(1.0f, plan.pitch - std::max(1.0f, std::round(plan.pitch / 5)));
    plan.thin = std::max(1.0f, std::round(plan.pitch / 2));
}

// A lane for each side of a comparison, as thick as there is room for.
void plan_sides(const TimelineAsk& ask, Timeline& plan) {
    const auto px = [&](float logical) { return std::max(1.0f, std::round(logical * ask.unit)); };
    plan.pitch = std::clamp(std::floor(ask.room.y / 2), 1.0f, px(kSidePitch));
    plan.n_lanes = std::min(ask.n_requests, static_cast<std::size_t>(ask.room.y / plan.pitch));
    const float top = std::floor((ask.room.y - 2 * plan.pitch) / 2);
    plan.lanes = {0, std::max(0.0f, top), ask.room.x, ask.room.y};
    plan.thick = std::max(1.0f, std::round(plan.pitch * kSideThick / kSidePitch));
    plan.thin = std::max(1.0f, std::round(plan.pitch * kSideThin / kSidePitch));
}

}  // namespace

float Timeline::x_of(double iteration) const {
    return lanes.x +
           static_cast<float>((iteration - 1) / n_iterations * static_cast<double>(lanes.w));
}

// All iterations are equally wide, and the first is number 1.
std::uint32_t Timeline::iteration_at(float x) const {
    const double share = (static_cast<double>(x) - lanes.x) / std::max(1.0f, lanes.w);
    const double at = std::floor(share * n_iterations) + 1;
    return static_cast<std::uint32_t>(std::clamp(at, 1.0, static_cast<double>(n_iterations)));
}

float Timeline::lane_middle(std::size_t i) const {
    return lanes.y + pitch * (static_cast<float>(i) + 0.5f);
}

Rect Timeline::lane(std::size_t i, bool is_thick, std::uint32_t first, std::uint32_t last) const {
    const float height = is_thick ? thick : thin;
    const float left = std::round(x_of(first)), right = std::round(x_of(last + 1.0));
    return {left, std::round(lane_middle(i) - height / 2), std::max(1.0f, right - left), height};
}

Timeline plan_timeline(const TimelineAsk& ask) {
    Timeline plan;
    plan.n_iterations = std::max(1u, ask.n_iterations);
    if (ask.two_sides)
        plan_sides(ask, plan);
    else if (ask.room.y >= kTall * ask.unit)
        plan_tall(ask, plan);
    else
        plan_low(ask, plan);
    const double cells = std::max(
        1.0, static_cast<double>(plan.lanes.w) / (static_cast<double>(kTickRoom) * ask.unit));
    plan.tick_step = round_tick_step(plan.n_iterations / cells);
    return plan;
}

List<LaneName> place_lane_names(const Timeline& plan, std::span<const LaneBar> bars,
                                const NameRoom& room) {
    List<LaneName> names;
    for (const LaneBar& bar : bars) {
        const float begin = plan.x_of(bar.first), end = plan.x_of(bar.last + 1.0);
        const float y = std::clamp(plan.lane_middle(bar.row) - room.size / 2, 0.0f,
                                   std::max(0.0f, room.height - room.size));
        Rect at{begin, y, room.size, room.size};
        const auto is_met = [&](const LaneName& other) {
            return at.x < other.rect.right() + room.gap && other.rect.x < at.right() + room.gap &&
                   at.y < other.rect.bottom() && other.rect.y < at.bottom();
        };
        for (auto met = std::find_if(names.begin(), names.end(), is_met); met != names.end();
             met = std::find_if(names.begin(), names.end(), is_met))
            at.x = met->rect.right() + room.gap;
        if (at.x == begin || at.right() <= end) names.push_back({bar.row, at});
    }
    return names;
}

List<ZoomCell> zoom_cells(const Rect& row, std::size_t n, float gap) {
    List<ZoomCell> cells;
    const float step = (row.w + gap) / static_cast<float>(std::max<std::size_t>(1, n));
    for (std::size_t i = 0; i < n; ++i) {
        const float left = std::round(row.x + step * static_cast<float>(i));
        const float right = std::round(row.x + step * static_cast<float>(i + 1) - gap);
        cells.push_back(
            {{left, row.y, std::max(1.0f, right - left), row.h}, static_cast<std::uint32_t>(i)});
    }
    return cells;
}

}  // namespace kv
