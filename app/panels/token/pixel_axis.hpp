#pragma once
// Many things along a row of pixels, in groups with a gap between them. While there is a pixel for
// each, each gets its own; beyond that a pixel stands for several. Pure: no imgui.h.

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/reused.hpp"

namespace kv {

struct PixelSpan {
    float x = 0, w = 0;                // pixels, whole
    std::uint32_t first = 0, end = 0;  // of the things it stands for
    friend bool operator==(const PixelSpan&, const PixelSpan&) = default;
};
struct AxisRoom {
    std::uint32_t count = 0, group = 0;  // things, and how many a group has; 0: no groups
    float x = 0, w = 0;
    float group_gap = 0, cell_gap = 0;  // given up where they would cost more than the things get
};
// Left to right, apart from each other, inside the room; none empty.
List<PixelSpan> pixel_axis(const AxisRoom& room);

// The span at a pixel, the one to the left in a gap; nothing outside of them all.
std::optional<std::size_t> span_at(std::span<const PixelSpan> spans, float x);
// The span that shows thing number `n`.
std::optional<std::size_t> span_of(std::span<const PixelSpan> spans, std::uint32_t n);
bool is_pooled(std::span<const PixelSpan> spans);

}  // namespace kv
