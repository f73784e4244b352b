#pragma once
// The pools of both sides of a comparison as two rows of blocks on one axis: of bytes where those
// are known, so that a block of half the size is half as wide; else of slots. Pure; pixels from the
// room's upper left corner.

#include <array>
#include <cstdint>
#include <optional>

#include "app/shell/geometry.hpp"

namespace kv {

struct PoolAsk {
    std::uint32_t n_blocks = 0;
    std::uint64_t block = 1;  // bytes, or slots
};
struct PoolRow {
    Rect head, cells;
    double block_w = 0;
    std::uint32_t n_blocks = 0;
    bool has_gaps() const { return block_w >= 3; }
    Rect block(std::uint32_t id) const;
    // The blocks of one pixel column, of which there may be many.
    struct Range {
        std::uint32_t first, end;
    };
    Range blocks_at(float x) const;
    std::optional<std::uint32_t> at(Vec2 p) const;
};
struct PoolsPlan {
    std::array<PoolRow, 2> rows;
    float height = 0;
};
PoolsPlan plan_pools(Vec2 room, float unit, const std::array<PoolAsk, 2>& pools);

}  // namespace kv
