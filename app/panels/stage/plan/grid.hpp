#pragma once
// The grid of the pool: how large a block is drawn, where it stands, and which block lies under a
// point. Cells follow from the distance of two blocks, so a grid of a million blocks is a
// handful of numbers. Pure; pixels; `unit` is pixels per logical pixel.

#include <cstdint>
#include <optional>

#include "app/shell/geometry.hpp"

namespace kv {

// How much of a block is drawn, by the width of a cell in logical pixels.
enum class BlockClass : std::uint8_t {
    Texel,    // below 4: its colour
    Shape,    // 4 to 12: its colour, and whether it is full
    Outline,  // 12 to 20: the same; a held place of the host tier is hatched
    Label,    // from 20: id, tag, fill bar
    Slots     // from 56: header and slots
};
BlockClass class_of(float cell_width, float unit);

struct PoolGrid {
    Rect area = {};  // what is seen of it
    std::uint32_t n_blocks = 0, columns = 1;
    float pitch_x = 1, pitch_y = 1;
    float cell_w = 1, cell_h = 1;
    Vec2 pan = {};  // how far the picture is moved to the upper left
    BlockClass look = BlockClass::Texel;

    std::uint32_t rows() const { return (n_blocks + columns - 1) / columns; }
    std::uint32_t row_of(std::uint32_t block) const { return block / columns; }
    Rect cell(std::uint32_t block) const;
    std::optional<std::uint32_t> at(Vec2 point) const;  // the block there; not the gaps
    bool is_visible(std::uint32_t block) const;
    bool is_in_sight(const Rect& cell) const;
    Vec2 farthest_pan() const;

    struct Visible {
        std::uint32_t first_row, last_row, first_column, last_column;  // without the last ones
    };
    Visible visible() const;
    // Visits the blocks that are seen, in the order of their numbers.
    template <class Draw>
    void each_visible(Draw&& draw) const {
        const Visible seen = visible();
        for (std::uint32_t row = seen.first_row; row < seen.last_row; ++row)
            for (std::uint32_t column = seen.first_column; column < seen.last_column; ++column) {
                const std::uint64_t block = std::uint64_t{row} * columns + column;
                if (block >= n_blocks) break;
                draw(static_cast<std::uint32_t>(block));
            }
    }
};

// The largest blocks with which the whole pool fits into the area; never below 2 pixels, where a
// part of a very large pool is seen. `columns`: so many where they have room, so that blocks keep
// their places while the area changes; 0: as many as there is room for.
PoolGrid fit_pool(const Rect& area, std::uint32_t n_blocks, float unit, std::uint32_t columns = 0);
// The grid with the same columns, `zoom` times as large, moved by `pan` as far as there is
// something to see.
PoolGrid zoomed(const PoolGrid& fit, float zoom, Vec2 pan, float unit);

// Zooming so that the block under `at` stays there.
struct ZoomAndPan {
    float zoom = 1;
    Vec2 pan = {};
};
ZoomAndPan zoom_at(const PoolGrid& fit, ZoomAndPan now, Vec2 at, float factor, float unit);

}  // namespace kv
