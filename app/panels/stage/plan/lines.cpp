#include "app/panels/stage/plan/lines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kv {
namespace {

// Tracks from the left: lines that leave the channel higher stand further left, so no line crosses
// another one where it turns into its gutter. In one gutter the line that goes furthest is the
// uppermost, so none crosses another one on its way down into its block.
bool stands_left(const LineEnd& a, const LineEnd& b) {
    if (a.row != b.row) return a.row < b.row;
    return a.to.x < b.to.x;
}

}  // namespace

List<List<Vec2>> route_lines(std::span<const LineEnd> ends, const LineRoom& room) {
    List<std::size_t> order(ends.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (stands_left(ends[a], ends[b])) return true;
        return !stands_left(ends[b], ends[a]) && a < b;
    });
    List<List<Vec2>> paths(ends.size());
    for (std::size_t track = 0; track < order.size(); ++track) {
        const LineEnd& end = ends[order[track]];
        std::size_t below = 0;  // lines of the same gutter under this one
        while (track + below + 1 < order.size() && ends[order[track + below + 1]].row == end.row)
            ++below;
        const float x = std::round(room.first_track + static_cast<float>(track) * room.track_pitch);
        const float rise = std::min(static_cast<float>(below) * room.gutter_pitch,
                                    std::max(0.0f, room.gutter - room.above_block - 1));
        // Above the first row stand the words of the pool, and lines share what is left below them.
        const float y = std::min(
            end.to.y - 1, std::max(room.top, std::round(end.to.y - room.above_block - rise)));
        paths[order[track]] = {end.from, {x, end.from.y}, {x, y}, {end.to.x, y}, end.to};
    }
    return paths;
}

}  // namespace kv
