#include "app/panels/stage/plan/grid.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

// Widths of a cell in logical pixels, from which on more of a block is drawn (class_of).
constexpr float kShapeCell = 4, kOutlineCell = 12, kLabelCell = 20, kSlotsCell = 56;

// Distances of two blocks (pitches), in logical pixels: a cell and the gap behind it (gaps_of).
constexpr float kLargestPitch = 104;  // cell 95 + gap 9: no larger where the whole pool is seen
constexpr float kSlotsPitch = kSlotsCell + 9;  // from here on slots are drawn
constexpr float kLabelPitch = kLabelCell + 6;  // from here on words are drawn
constexpr float kGapPitch = 14;                // cell 11 + gap 3: below it a gap is one pixel
constexpr float kLargestZoomed = 158;          // cell 149 + gap 9: no larger by zooming
// In pixels: below it a pool no longer fits, and a part of it is seen.
constexpr int kLeastBlockPitch = 2;
// Pixels, whatever the unit: below this pitch even a gap of one would take more than a fifth.
constexpr float kLeastWithGap = 5;

struct Gaps {
    float x, y;
};
// The room below a row is where the connectors run, so it is wider than the one between columns.
Gaps gaps_of(float pitch, float unit) {
    const auto px = [unit](float logical) { return std::max(1.0f, std::round(logical * unit)); };
    if (pitch >= kSlotsPitch * unit) return {px(9), px(14)};
    if (pitch >= kLabelPitch * unit) return {px(6), px(9)};
    if (pitch >= kGapPitch * unit) return {px(3), px(3)};
    return pitch >= kLeastWithGap ? Gaps{1, 1} : Gaps{0, 0};
}

// Blocks with slots are square; with a label they are a little lower than wide.
void set_pitch(PoolGrid& grid, float pitch, float unit) {
    const Gaps gaps = gaps_of(pitch, unit);
    grid.pitch_x = pitch;
    grid.cell_w = pitch - gaps.x;
    const bool low = pitch >= kLabelPitch * unit && pitch < kSlotsPitch * unit;
    grid.cell_h = low ? std::round(grid.cell_w * 0.88f) : grid.cell_w;
    grid.pitch_y = grid.cell_h + gaps.y;
    grid.look = class_of(grid.cell_w, unit);
}

// Gives the grid that pitch; whether the whole pool fits then.
bool try_pitch(PoolGrid& grid, float pitch, float unit, std::uint32_t wanted) {
    set_pitch(grid, pitch, unit);
    const float gap_x = grid.pitch_x - grid.cell_w, gap_y = grid.pitch_y - grid.cell_h;
    const float columns = std::floor((grid.area.w + gap_x) / pitch);
    grid.columns = std::max(1u, static_cast<std::uint32_t>(columns));
    if (wanted > grid.columns) return false;
    if (wanted > 0) grid.columns = wanted;
    return columns >= 1 && static_cast<float>(grid.rows()) * grid.pitch_y - gap_y <= grid.area.h;
}

}  // namespace

BlockClass class_of(float cell_width, float unit) {
    const float logical = cell_width / unit;
    if (logical < kShapeCell) return BlockClass::Texel;
    if (logical < kOutlineCell) return BlockClass::Shape;
    if (logical < kLabelCell) return BlockClass::Outline;
    return logical < kSlotsCell ? BlockClass::Label : BlockClass::Slots;
}

Rect PoolGrid::cell(std::uint32_t block) const {
    const std::uint32_t column = block % columns, row = row_of(block);
    return {area.x + static_cast<float>(column) * pitch_x - pan.x,
            area.y + static_cast<float>(row) * pitch_y - pan.y, cell_w, cell_h};
}

std::optional<std::uint32_t> PoolGrid::at(Vec2 point) const {
    if (!area.contains(point)) return std::nullopt;
    const float x = point.x - area.x + pan.x, y = point.y - area.y + pan.y;
    const auto column = static_cast<std::uint64_t>(x / pitch_x);
    const auto row = static_cast<std::uint64_t>(y / pitch_y);
    const std::uint64_t block = row * columns + column;
    if (column >= columns || block >= n_blocks) return std::nullopt;
    const auto id = static_cast<std::uint32_t>(block);
    return cell(id).contains(point) ? std::optional(id) : std::nullopt;
}

bool PoolGrid::is_visible(std::uint32_t block) const {
    if (block >= n_blocks) return false;
    return is_in_sight(cell(block));
}

bool PoolGrid::is_in_sight(const Rect& cell) const {
    return cell.right() > area.x && cell.x < area.right() && cell.bottom() > area.y &&
           cell.y < area.bottom();
}

Vec2 PoolGrid::farthest_pan() const {
    const float w = static_cast<float>(columns) * pitch_x - (pitch_x - cell_w);
    const float h = static_cast<float>(rows()) * pitch_y - (pitch_y - cell_h);
    return {std::max(0.0f, w - area.w), std::max(0.0f, h - area.h)};
}

PoolGrid::Visible PoolGrid::visible() const {
    const auto index = [](float at, float pitch, std::uint32_t most) {
        return static_cast<std::uint32_t>(std::clamp(at / pitch, 0.0f, static_cast<float>(most)));
    };
    const std::uint32_t n_rows = rows();
    return {index(pan.y, pitch_y, n_rows),
            std::min(n_rows, index(pan.y + area.h, pitch_y, n_rows) + 1),
            index(pan.x, pitch_x, columns),
            std::min(columns, index(pan.x + area.w, pitch_x, columns) + 1)};
}

PoolGrid fit_pool(const Rect& area, std::uint32_t n_blocks, float unit, std::uint32_t columns) {
    PoolGrid grid{.area = area, .n_blocks = n_blocks};
    const auto largest = static_cast<int>(std::round(kLargestPitch * unit));
    for (int pitch = largest; pitch >= kLeastBlockPitch; --pitch)
        if (try_pitch(grid, static_cast<float>(pitch), unit, columns)) return grid;
    if (columns > 0) return fit_pool(area, n_blocks, unit);
    try_pitch(grid, kLeastBlockPitch, unit, 0);
    return grid;
}

PoolGrid zoomed(const PoolGrid& fit, float zoom, Vec2 pan, float unit) {
    PoolGrid grid = fit;
    if (zoom != 1) {
        const float most = std::max(fit.pitch_x, std::round(kLargestZoomed * unit));
        set_pitch(grid, std::clamp(std::round(fit.pitch_x * zoom), fit.pitch_x, most), unit);
    }
    const Vec2 farthest = grid.farthest_pan();
    grid.pan = {std::round(std::clamp(pan.x, 0.0f, farthest.x)),
                std::round(std::clamp(pan.y, 0.0f, farthest.y))};
    return grid;
}

ZoomAndPan zoom_at(const PoolGrid& fit, ZoomAndPan now, Vec2 at, float factor, float unit) {
    const PoolGrid before = zoomed(fit, now.zoom, now.pan, unit);
    const float most = std::max(1.0f, std::round(kLargestZoomed * unit) / fit.pitch_x);
    ZoomAndPan after{std::clamp(now.zoom * factor, 1.0f, most), {}};
    const PoolGrid grown = zoomed(fit, after.zoom, {}, unit);
    const Vec2 in{at.x - fit.area.x, at.y - fit.area.y};
    const Vec2 block{(in.x + before.pan.x) / before.pitch_x,
                     (in.y + before.pan.y) / before.pitch_y};
    after.pan = zoomed(fit, after.zoom,
                       {block.x * grown.pitch_x - in.x, block.y * grown.pitch_y - in.y}, unit)
                    .pan;
    return after;
}

}  // namespace kv
