#pragma once
// The picture of one side of a block: a row per slot, a column per element of every head. Pure: no
// imgui.h.

#include <optional>
#include <span>

#include "app/panels/token/pixel_axis.hpp"
#include "app/shell/geometry.hpp"
#include "app/shell/theme.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct ByteMapNeeds {
    std::uint32_t n_slots = 0, n_heads = 0, dim = 0;
};
struct ByteMapPlan {
    Rect area = {};                // of all cells
    List<PixelSpan> rows = {};     // slots
    List<PixelSpan> columns = {};  // elements, heads one after the other
    List<Rect> heads = {};         // one per head
    std::uint32_t dim = 0;
};
ByteMapPlan plan_byte_map(const Rect& room, float unit, const ByteMapNeeds& needs);

struct ByteMapCell {
    std::uint32_t slot, head, dim;
    friend bool operator==(const ByteMapCell&, const ByteMapCell&) = default;
};
std::optional<ByteMapCell> cell_at(const ByteMapPlan& plan, Vec2 at);
// Around one head's vector of one slot.
Rect vector_rect(const ByteMapPlan& plan, std::uint32_t slot, std::uint32_t head);

// The value of largest magnitude in these rows and columns: what a pixel shows of several.
float pooled_value(std::span<const float> values, std::uint32_t row_length, const PixelSpan& row,
                   const PixelSpan& column);

}  // namespace kv
