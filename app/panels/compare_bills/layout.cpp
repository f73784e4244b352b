#include "app/panels/compare_bills/layout.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/kv_head.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {
namespace {

// Logical pixels.
constexpr float kSideHead = 32, kCodecs = 26, kSectionHead = 28, kLowSectionHead = 22,
                kSideGap = 20, kSmallGap = 8;
constexpr float kModelWidth = 280, kSideMark = 12, kMarkRoom = 24;
constexpr float kQuery = 14, kWires = 12, kKvHead = 22, kWidestHead = 64;
constexpr float kLowestRow = 17, kCostRow = 24, kHighestRow = 44;

float heads_height(float unit) {
    return std::round(kQuery * unit) + std::round(kWires * unit) + std::round(kKvHead * unit);
}

// The first row: which side, which model, and the formats beside it when they fit.
float place_head(SidePlan& plan, Vec2 room, float unit, float codecs_width) {
    const auto px = [unit](float logical) { return std::round(logical * unit); };
    const float left = px(kMarkRoom), head = px(kSideHead);
    plan.mark = {0, std::round((head - px(kSideMark)) / 2), px(kSideMark), px(kSideMark)};
    plan.model = {left, 0, std::min(px(kModelWidth), room.x - left), head};
    const float after = plan.model.right() + px(16);
    if (after + codecs_width <= room.x) {
        plan.codecs = {room.x - codecs_width, px(3), codecs_width, px(kCodecs)};
        return head;
    }
    plan.form = Rect{after, 0, room.x - after, head};
    plan.codecs = {0, head + px(kSmallGap), std::min(codecs_width, room.x), px(kCodecs)};
    return plan.codecs.bottom();
}

}  // namespace

SidePlan layout_side(Vec2 room, float unit, const SideNeeds& needs) {
    const auto px = [unit](float logical) { return std::round(logical * unit); };
    const auto rows = static_cast<float>(needs.cost_rows);
    SidePlan plan;
    float y = place_head(plan, room, unit, needs.codecs_width);

    const float heads = px(kSectionHead) + heads_height(unit);
    const float rest = 2 * px(kSectionHead) + needs.equation_height + rows * px(kCostRow);
    const bool low = y + heads + rest + 3 * px(kSideGap) > room.y;
    const float gap = px(low ? kSmallGap : kSideGap);
    plan.head_height = px(low ? kLowSectionHead : kSectionHead);
    plan.small_equation = low;
    if (!low) {
        plan.form.reset();
        plan.heads = Rect{0, y + gap, room.x, heads};
        y = plan.heads->bottom();
    }
    const float boxes = low ? needs.small_equation_height : needs.equation_height;
    plan.equation = {0, y + gap, room.x, plan.head_height + boxes};
    y = plan.equation.bottom() + gap;
    const float spare = room.y - y - plan.head_height;
    plan.cost_pitch = std::clamp(std::floor(spare / rows), px(kLowestRow), px(kHighestRow));
    plan.costs = {0, y, room.x, plan.head_height + rows * plan.cost_pitch};
    plan.height = plan.costs.bottom();
    return plan;
}

HeadsPlan layout_heads(u64 n_heads, u64 n_kv_heads, float width, float unit) {
    HeadsPlan plan;
    plan.height = heads_height(unit);
    const float query_h = std::round(kQuery * unit), kv_h = std::round(kKvHead * unit);
    plan.bus_y = query_h + std::round(kWires * unit / 2);

    const float pitch = std::min(width / static_cast<float>(n_heads), kWidestHead * unit);
    const float gap = std::clamp(std::round(pitch * 0.15f), 1.0f, std::round(5 * unit));
    const float cell = std::max(1.0f, std::floor(pitch) - gap);
    plan.kv.resize(n_kv_heads);
    for (u64 q = 0; q < n_heads; ++q) {
        const Rect box{std::round(static_cast<float>(q) * pitch), 0, cell, query_h};
        plan.query.push_back(box);
        const HeadId query(static_cast<std::uint32_t>(q));
        HeadsPlan::KvHead& kv = plan.kv[kv_head_of(query.value, n_heads, n_kv_heads).index()];
        if (kv.box.w == 0) kv.first = box.center().x;
        kv.last = box.center().x;
        kv.box = {std::round((kv.first + kv.last - cell) / 2), plan.height - kv_h, cell, kv_h};
    }
    return plan;
}

}  // namespace kv
