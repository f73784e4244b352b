#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/paint/paint.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

float thickness(const Ui& ui, float logical) {
    return std::max(1.0f, logical * ui.unit) + ui.px(ui.colors.extra_line);
}

void polyline(const Painter& p, std::span<const ImVec2> points, Color color, float width) {
    p.list.AddPolyline(points.data(), static_cast<int>(points.size()), im(color),
                       thickness(p.ui, width));
}

// A unit vector that points where `dir` says, and one across it.
struct Axes {
    Vec2 along, across;
};
Axes axes_of(Dir dir) {
    switch (dir) {
        case Dir::Left:
            return {{-1, 0}, {0, 1}};
        case Dir::Right:
            return {{1, 0}, {0, 1}};
        case Dir::Up:
            return {{0, -1}, {1, 0}};
        case Dir::Down:
            break;
    }
    return {{0, 1}, {1, 0}};
}
ImVec2 from(Vec2 center, const Axes& a, float along, float across) {
    return {center.x + a.along.x * along + a.across.x * across,
            center.y + a.along.y * along + a.across.y * across};
}

Vec2 unit_vector(Vec2 from_point, Vec2 to) {
    const Vec2 d = to - from_point;
    const float length = std::max(math::hypot(d.x, d.y), 1e-6f);
    return {d.x / length, d.y / length};
}

void arrow_head(const Painter& p, Vec2 at, Vec2 along, float size, Color color, float width) {
    const Vec2 across{-along.y, along.x};
    const std::array<ImVec2, 3> points{
        ImVec2{at.x - (along.x + across.x) * size, at.y - (along.y + across.y) * size}, im(at),
        ImVec2{at.x - (along.x - across.x) * size, at.y - (along.y - across.y) * size}};
    polyline(p, points, color, width);
}

// Half of a line between two corners belongs to each of them; a corner never takes more.
float room_for_corner(std::span<const Vec2> points, std::size_t from, std::size_t to) {
    const Vec2 d = points[to] - points[from];
    const bool is_end =
        from == 0 || to == 0 || from + 1 == points.size() || to + 1 == points.size();
    return math::hypot(d.x, d.y) / (is_end ? 1.0f : 2.0f);
}

void rounded_path(const Painter& p, std::span<const Vec2> points, float radius) {
    p.list.PathClear();
    p.list.PathLineTo(im(points.front()));
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const Vec2 at = points[i], in = unit_vector(at, points[i - 1]),
                   out = unit_vector(at, points[i + 1]);
        const float r = std::min(
            {radius, room_for_corner(points, i - 1, i), room_for_corner(points, i, i + 1)});
        p.list.PathLineTo({at.x + in.x * r, at.y + in.y * r});
        p.list.PathBezierQuadraticCurveTo(im(at), {at.x + out.x * r, at.y + out.y * r});
    }
    p.list.PathLineTo(im(points.back()));
}

}  // namespace

void tick_mark(const Painter& p, Vec2 c, float size, Color color, float width) {
    const float s = size * p.ui.unit;
    const std::array<ImVec2, 3> points{ImVec2{c.x - 0.46f * s, c.y + 0.02f * s},
                                       ImVec2{c.x - 0.13f * s, c.y + 0.34f * s},
                                       ImVec2{c.x + 0.46f * s, c.y - 0.32f * s}};
    polyline(p, points, color, width);
}

void cross_mark(const Painter& p, Vec2 c, float size, Color color, float width) {
    const float s = size * p.ui.unit / 2;
    polyline(p, std::array{ImVec2{c.x - s, c.y - s}, ImVec2{c.x + s, c.y + s}}, color, width);
    polyline(p, std::array{ImVec2{c.x + s, c.y - s}, ImVec2{c.x - s, c.y + s}}, color, width);
}

void plus_mark(const Painter& p, Vec2 c, float size, Color color, bool minus) {
    const float w = p.ui.px(1) + p.ui.px(p.ui.colors.extra_line);
    const float arm = std::floor(size * p.ui.unit / 2);
    const float x = std::floor(c.x), y = std::floor(c.y);
    hline(p, x - arm, x + arm + w, y, color);
    if (!minus) vline(p, x, y - arm, y + arm + w, color);
}

void chevron(const Painter& p, Vec2 c, float size, Dir dir, Color color, float width) {
    const Axes a = axes_of(dir);
    const float s = size * p.ui.unit;
    polyline(p,
             std::array{from(c, a, -0.25f * s, -0.5f * s), from(c, a, 0.25f * s, 0),
                        from(c, a, -0.25f * s, 0.5f * s)},
             color, width);
}

void triangle(const Painter& p, Vec2 c, float size, Dir dir, Color color, bool filled) {
    const Axes a = axes_of(dir);
    const float s = size * p.ui.unit;
    std::array points{from(c, a, 0.45f * s, 0), from(c, a, -0.45f * s, 0.5f * s),
                      from(c, a, -0.45f * s, -0.5f * s)};
    if (filled) {
        p.list.AddTriangleFilled(points[0], points[1], points[2], im(color));
    } else {
        p.list.AddPolyline(points.data(), 3, im(color), thickness(p.ui, 1.6f), ImDrawFlags_Closed);
    }
}

void arrow(const Painter& p, Vec2 tail, Vec2 head, Color color, float width) {
    stroke(p, tail, head, color, width);
    arrow_head(p, head, unit_vector(tail, head), 4 * p.ui.unit, color, width);
}

void connector(const Painter& p, std::span<const Vec2> points, const ConnectorLook& look) {
    if (points.size() < 2) return;
    const float radius = look.radius * p.ui.unit;
    rounded_path(p, points, radius);
    p.list.PathStroke(im(look.halo), thickness(p.ui, look.width + 6));
    rounded_path(p, points, radius);
    p.list.PathStroke(im(look.color), thickness(p.ui, look.width));
    if (look.head)
        arrow_head(p, points.back(), unit_vector(points[points.size() - 2], points.back()),
                   4.5f * p.ui.unit, look.color, look.width);
}

}  // namespace kv
