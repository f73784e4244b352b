#include "app/panels/token/inspector/byte_map_plan.hpp"

#include <algorithm>
#include <cmath>

namespace kv {

ByteMapPlan plan_byte_map(const Rect& room, float unit, const ByteMapNeeds& needs) {
    ByteMapPlan plan{.area = room, .dim = needs.dim};
    const float gap = std::max(1.0f, std::round(unit));
    plan.rows = pixel_axis({.count = needs.n_slots, .x = room.y, .w = room.h, .cell_gap = gap});
    plan.columns = pixel_axis({.count = needs.n_heads * needs.dim,
                               .group = needs.dim,
                               .x = room.x,
                               .w = room.w,
                               .group_gap = 2 * gap});
    if (plan.rows.empty() || plan.columns.empty()) return plan;
    const auto end = [](std::span<const PixelSpan> spans) {
        return spans.back().x + spans.back().w;
    };
    plan.area.w = end(plan.columns) - room.x;
    plan.area.h = end(plan.rows) - room.y;
    for (std::uint32_t head = 0; head < needs.n_heads; ++head) {
        const PixelSpan& first = plan.columns[*span_of(plan.columns, head * needs.dim)];
        const PixelSpan& last = plan.columns[*span_of(plan.columns, (head + 1) * needs.dim - 1)];
        plan.heads.push_back({first.x, room.y, last.x + last.w - first.x, plan.area.h});
    }
    return plan;
}

std::optional<ByteMapCell> cell_at(const ByteMapPlan& plan, Vec2 at) {
    const auto row = span_at(plan.rows, at.y), column = span_at(plan.columns, at.x);
    if (!row || !column || plan.dim == 0) return std::nullopt;
    const std::uint32_t element = plan.columns[*column].first;
    return ByteMapCell{plan.rows[*row].first, element / plan.dim, element % plan.dim};
}

Rect vector_rect(const ByteMapPlan& plan, std::uint32_t slot, std::uint32_t head) {
    const auto row = span_of(plan.rows, slot);
    if (!row || head >= plan.heads.size()) return {};
    const Rect& columns = plan.heads[head];
    return {columns.x, plan.rows[*row].x, columns.w, plan.rows[*row].w};
}

float pooled_value(std::span<const float> values, std::uint32_t row_length, const PixelSpan& row,
                   const PixelSpan& column) {
    float largest = 0;
    for (std::uint32_t r = row.first; r < row.end; ++r)
        for (std::uint32_t c = column.first; c < column.end; ++c) {
            const float value = values[std::size_t{r} * row_length + c];
            if (std::abs(value) > std::abs(largest)) largest = value;
        }
    return largest;
}

}  // namespace kv
