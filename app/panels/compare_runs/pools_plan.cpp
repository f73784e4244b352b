#include "app/panels/compare_runs/pools_plan.hpp"

#include <algorithm>
#include <cmath>

namespace kv {

PoolsPlan plan_pools(Vec2 room, float unit, const std::array<PoolAsk, 2>& pools) {
    constexpr float kHead = 17, kGap = 6, kLeast = 14, kMost = 64;  // logical pixels
    const auto px = [&](float logical) { return std::floor(logical * unit + 0.5f); };
    double most = 1;
    for (const PoolAsk& pool : pools)
        most = std::max(most, static_cast<double>(pool.n_blocks) * static_cast<double>(pool.block));
    const float cells =
        std::clamp(std::floor((room.y - 2 * px(kHead) - px(kGap)) / 2), px(kLeast), px(kMost));
    const float width = std::max(1.0f, room.x);
    PoolsPlan plan;
    float y = 0;
    for (std::size_t i = 0; i < pools.size(); ++i) {
        PoolRow& row = plan.rows[i];
        row.head = {0, y, width, px(kHead)};
        row.n_blocks = pools[i].n_blocks;
        row.block_w = static_cast<double>(width) * static_cast<double>(pools[i].block) / most;
        row.cells = {0, row.head.bottom(),
                     static_cast<float>(std::floor(row.block_w * row.n_blocks)), cells};
        y = row.cells.bottom() + px(kGap);
    }
    plan.height = plan.rows.back().cells.bottom();
    return plan;
}

Rect PoolRow::block(std::uint32_t id) const {
    const double left = std::round(id * block_w), right = std::round((id + 1.0) * block_w);
    return {cells.x + static_cast<float>(left), cells.y,
            static_cast<float>(std::max(1.0, right - left - (has_gaps() ? 1 : 0))), cells.h};
}

PoolRow::Range PoolRow::blocks_at(float x) const {
    const auto first = static_cast<std::uint32_t>(
        std::clamp<double>(std::floor(static_cast<double>(x - cells.x) / block_w), 0, n_blocks));
    const auto end = static_cast<std::uint32_t>(
        std::clamp<double>(std::ceil(static_cast<double>(x + 1 - cells.x) / block_w), 0, n_blocks));
    return {first, std::max(first, end)};
}

std::optional<std::uint32_t> PoolRow::at(Vec2 p) const {
    if (!cells.contains(p) || n_blocks == 0) return std::nullopt;
    return std::min(n_blocks - 1, blocks_at(p.x).first);
}

}  // namespace kv
