#include "app/panels/charts/without_run_layout.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

// Logical pixels.
constexpr Vec2 kGoodChart{200, 110};
constexpr float kNarrowestChart = 130;  // narrower, and the heads of two charts would touch
constexpr float kFlattestChart = 76, kColumnGap = 20, kChartRowGap = 16;
constexpr float kTallTransport = 180, kReasonLine = 32, kEmptyTrack = 10, kEmptyLane = 18,
                kZoomRow = 22;
constexpr int kLanes = 4;

struct CellCount {
    std::size_t columns, rows;
};
Vec2 cell_size(Vec2 room, CellCount count, float unit) {
    const auto c = static_cast<float>(count.columns), r = static_cast<float>(count.rows);
    return {(room.x - (c - 1) * kColumnGap * unit) / c,
            (room.y - (r - 1) * kChartRowGap * unit) / r};
}

std::size_t rows_of(std::size_t charts, std::size_t columns) {
    return (charts + columns - 1) / columns;
}

std::size_t best_columns(Vec2 room, std::size_t charts, float unit) {
    std::size_t best = 1;
    float best_score = -1e9f;
    for (std::size_t columns = 1; columns <= charts; ++columns) {
        const Vec2 cell = cell_size(room, {columns, rows_of(charts, columns)}, unit);
        if (columns > 1 && cell.x < kNarrowestChart * unit) continue;
        const float score = std::min(cell.x / kGoodChart.x, cell.y / kGoodChart.y);
        if (score <= best_score) continue;
        best = columns;
        best_score = score;
    }
    return best;
}

EmptyTransport low_transport(Vec2 room, float unit) {
    const float track = std::round(kEmptyTrack * unit);
    const float sentence = std::min(std::round(kReasonLine * unit), std::max(0.0f, room.y - track));
    EmptyTransport plan;
    plan.sentence = {0, 0, room.x, sentence};
    plan.lanes = {{0, std::round((sentence + room.y - track) / 2), room.x, track}};
    return plan;
}

EmptyTransport tall_transport(Vec2 room, float unit) {
    EmptyTransport plan;
    plan.label_width = std::round(52 * unit);
    const float left = plan.label_width, width = room.x - left;
    plan.sentence = {0, 0, room.x, std::round(kReasonLine * unit)};

    const float zoom = std::round(kZoomRow * unit), zoom_gap = std::round(12 * unit);
    plan.op = {left, room.y - zoom, width, zoom};
    plan.layer = {left, plan.op->y - zoom_gap - zoom, width, zoom};
    const float top = plan.sentence.bottom() + std::round(kEmptyLane * unit);
    const float pitch = std::floor((plan.layer->y - top) / static_cast<float>(kLanes + 1));
    for (int lane = 0; lane < kLanes; ++lane)
        plan.lanes.push_back({left, top + pitch * static_cast<float>(lane), width, 1});
    plan.blocks = {left, top + pitch * static_cast<float>(kLanes) - std::round(pitch / 2), width,
                   pitch};
    return plan;
}

}  // namespace

ChartGrid layout_chart_grid(Vec2 room, std::size_t charts, float unit) {
    const std::size_t columns = best_columns(room, charts, unit), rows = rows_of(charts, columns);
    Vec2 cell = cell_size(room, {columns, rows}, unit);
    cell = {std::floor(std::max(1.0f, cell.x)),
            std::floor(std::max(kFlattestChart * unit, cell.y))};

    ChartGrid grid;
    grid.columns = static_cast<int>(columns);
    grid.rows = static_cast<int>(rows);
    const Vec2 step{cell.x + std::round(kColumnGap * unit),
                    cell.y + std::round(kChartRowGap * unit)};
    for (std::size_t i = 0; i < charts; ++i) {
        const std::size_t row = i / columns;
        grid.cells.push_back({step.x * static_cast<float>(i % columns),
                              step.y * static_cast<float>(row), cell.x, cell.y});
    }
    grid.height = grid.cells.empty() ? 0 : grid.cells.back().bottom();
    return grid;
}

EmptyTransport layout_empty_transport(Vec2 room, float unit) {
    return room.y >= kTallTransport * unit ? tall_transport(room, unit) : low_transport(room, unit);
}

}  // namespace kv
