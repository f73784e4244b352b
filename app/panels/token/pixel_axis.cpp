#include "app/panels/token/pixel_axis.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr float kCellForGap = 4;        // pixels that a thing needs before there are gaps between
constexpr float kWasteForEven = 0.08f;  // of the room, that even widths may leave unused

List<PixelSpan> pooled(const AxisRoom& room, std::uint64_t n_pixels) {
    List<PixelSpan> spans;
    spans.reserve(n_pixels);
    for (std::uint64_t i = 0; i < n_pixels; ++i)
        spans.push_back({room.x + static_cast<float>(i), 1,
                         static_cast<std::uint32_t>(i * room.count / n_pixels),
                         static_cast<std::uint32_t>((i + 1) * room.count / n_pixels)});
    return spans;
}

}  // namespace

List<PixelSpan> pixel_axis(const AxisRoom& room) {
    const float pixels = std::floor(room.w);
    if (room.count == 0 || pixels < 1) return {};
    const auto count = static_cast<float>(room.count);
    if (count > pixels) return pooled(room, static_cast<std::uint64_t>(pixels));
    const std::uint32_t group = room.group == 0 ? room.count : room.group;
    const auto n_gaps = static_cast<float>((room.count - 1) / group);
    float gap = room.group_gap;
    if ((pixels - n_gaps * gap) / count < kCellForGap) gap = std::min(gap, 1.0f);
    if ((pixels - n_gaps * gap) / count < 2) gap = 0;
    const float room_for_cells = pixels - n_gaps * gap;
    const float even = std::floor(room_for_cells / count);
    const bool is_even = room_for_cells - even * count <= kWasteForEven * pixels;
    const float pitch = is_even ? even : room_for_cells / count;
    const float cell_gap = pitch >= kCellForGap ? room.cell_gap : 0;
    List<PixelSpan> spans;
    spans.reserve(room.count);
    for (std::uint32_t i = 0; i < room.count; ++i) {
        const float from = std::floor(static_cast<float>(i) * pitch);
        const float to = std::floor(static_cast<float>(i + 1) * pitch);
        spans.push_back({room.x + from + static_cast<float>(i / group) * gap,
                         std::max(1.0f, to - from - cell_gap), i, i + 1});
    }
    return spans;
}

std::optional<std::size_t> span_at(std::span<const PixelSpan> spans, float x) {
    if (spans.empty() || x < spans.front().x || x >= spans.back().x + spans.back().w)
        return std::nullopt;
    const auto after = std::upper_bound(spans.begin(), spans.end(), x,
                                        [](float at, const PixelSpan& s) { return at < s.x; });
    return static_cast<std::size_t>(after - spans.begin()) - 1;
}

std::optional<std::size_t> span_of(std::span<const PixelSpan> spans, std::uint32_t n) {
    const auto after =
        std::upper_bound(spans.begin(), spans.end(), n,
                         [](std::uint32_t thing, const PixelSpan& s) { return thing < s.end; });
    if (after == spans.end() || n < after->first) return std::nullopt;
    return static_cast<std::size_t>(after - spans.begin());
}

bool is_pooled(std::span<const PixelSpan> spans) {
    return !spans.empty() && spans.back().end > spans.size();
}

}  // namespace kv
