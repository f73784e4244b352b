#include "app/panels/compare_runs/memory_plan.hpp"

#include <algorithm>

namespace kv {
namespace {

constexpr float kWideChart = 330,
                kBesideChart = 40;  // of a chart with its labels, and what parts two
constexpr float kLowChart = 84, kAboveChart = 12;

}  // namespace

List<Rect> place_pair_charts(Vec2 room, std::size_t n) {
    const auto count = static_cast<float>(n);
    List<Rect> places;
    if (room.x >= count * kWideChart + (count - 1) * kBesideChart) {
        const float width = (room.x - (count - 1) * kBesideChart) / count;
        for (std::size_t i = 0; i < n; ++i)
            places.push_back({static_cast<float>(i) * (width + kBesideChart), 0, width, room.y});
        return places;
    }
    const float fitting = (room.y + kAboveChart) / (kLowChart + kAboveChart);
    const std::size_t shown = std::clamp<std::size_t>(static_cast<std::size_t>(fitting), 1, n);
    const float height = (room.y + kAboveChart) / static_cast<float>(shown) - kAboveChart;
    for (std::size_t i = 0; i < shown; ++i)
        places.push_back({0, static_cast<float>(i) * (height + kAboveChart), room.x, height});
    return places;
}

}  // namespace kv
