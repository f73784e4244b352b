#include "app/export/svg/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/export/svg/text.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr float kSame = 0.03f;       // points this close are one; half of what smoothing moves
constexpr float kRoundness = 0.12f;  // how far a corner of an arc may lie from its circle
constexpr float kTidy = 20, kMeshGrid = 50;  // steps of a pixel that corners are rounded to
constexpr std::size_t kLeastOfArcs = 8;      // corners: with fewer it is no circle or round box

bool same(float a, float b) {
    return std::abs(a - b) < kSame;
}
bool same(Vec2 a, Vec2 b) {
    return same(a.x, b.x) && same(a.y, b.y);
}
Vec2 middle(Vec2 a, Vec2 b) {
    return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}
float distance(Vec2 a, Vec2 b) {
    return math::hypot(a.x - b.x, a.y - b.y);
}

// Outlines are drawn a hundredth of a pixel too small at their far end; that is no number to edit.
float tidy(float value) {
    return std::round(value * kTidy) / kTidy;
}

std::string attribute(const char* name, float value) {
    return std::string(" ") + name + "=\"" + svg_number(value) + "\"";
}

std::string stroke(Color color, float width) {
    return svg_paint("stroke", color) + attribute("stroke-width", width);
}

std::string box(const Rect& r, float radius, const std::string& paint) {
    std::string text = "<rect" + attribute("x", r.x) + attribute("y", r.y) +
                       attribute("width", r.w) + attribute("height", r.h);
    if (radius > 0) text += attribute("rx", radius);
    return text + paint + "/>\n";
}

std::string point_list(std::span<const Vec2> points) {
    std::string text;
    for (const Vec2 p : points) {
        if (!text.empty()) text += ' ';
        text += svg_number(tidy(p.x)) + "," + svg_number(tidy(p.y));
    }
    return text;
}

struct Round {
    Rect box;
    float radius = 0;
};

// All corners lie on a circle, and there are enough of them.
std::optional<Round> circle_of(std::span<const Vec2> points) {
    if (points.size() < kLeastOfArcs) return std::nullopt;
    const Rect r = bounds_of(points);
    const float radius = (r.w + r.h) / 4;
    if (std::abs(r.w - r.h) > 2 * kRoundness || radius < 0.5f) return std::nullopt;
    for (const Vec2 p : points)
        if (std::abs(distance(p, r.center()) - radius) > kRoundness) return std::nullopt;
    return Round{r, radius};
}

// A box whose four corners are quarters of circles of one radius.
std::optional<Round> rounded_box_of(std::span<const Vec2> points) {
    if (points.size() < kLeastOfArcs) return std::nullopt;
    const Rect r = bounds_of(points);
    float radius = r.w;
    for (const Vec2 p : points)
        if (same(p.y, r.y)) radius = std::min(radius, p.x - r.x);
    if (radius < 0.5f || radius > std::min(r.w, r.h) / 2 + kSame) return std::nullopt;
    const Rect inner = r.inset(radius);
    bool has_corner[4] = {};
    for (const Vec2 p : points) {
        const Vec2 nearest{std::clamp(p.x, inner.x, std::max(inner.x, inner.right())),
                           std::clamp(p.y, inner.y, std::max(inner.y, inner.bottom()))};
        if (std::abs(distance(p, nearest) - radius) > kRoundness) return std::nullopt;
        has_corner[(p.x > r.center().x ? 1 : 0) + (p.y > r.center().y ? 2 : 0)] = true;
    }
    const bool all = has_corner[0] && has_corner[1] && has_corner[2] && has_corner[3];
    return all ? std::optional(Round{r, radius}) : std::nullopt;
}

Rect tidy(const Rect& r) {
    const float x = tidy(r.x), y = tidy(r.y);
    return {x, y, tidy(r.right()) - x, tidy(r.bottom()) - y};
}

// The outline of a box. One without any width is a line, and SVG draws no outline of it.
std::string outlined_box(const Rect& r, float width, Color color) {
    if (r.w <= 0 || r.h <= 0) return box(r.inset(-width / 2), 0, svg_paint("fill", color));
    return box(r, 0, " fill=\"none\"" + stroke(color, width));
}

// A closed line as a shape with an outline, when it is one.
std::optional<std::string> outlined(std::span<const Vec2> corners, float width, Color color) {
    if (is_box(corners)) return outlined_box(tidy(bounds_of(corners)), width, color);
    const std::string paint = " fill=\"none\"" + stroke(color, width);
    if (const auto circle = circle_of(corners))
        return "<circle" + attribute("cx", tidy(circle->box.center().x)) +
               attribute("cy", tidy(circle->box.center().y)) + attribute("r", circle->radius) +
               paint + "/>\n";
    if (const auto round = rounded_box_of(corners))
        return box(tidy(round->box), round->radius, paint);
    return std::nullopt;
}

}  // namespace

Rect intersection(const Rect& a, const Rect& b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x),
            std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

Rect bounds_of(std::span<const Vec2> points) {
    Vec2 low = points.front(), high = low;
    for (const Vec2 p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

bool is_box(std::span<const Vec2> p) {
    if (p.size() != 4) return false;
    const bool flat_first = same(p[0].y, p[1].y) && same(p[1].x, p[2].x) && same(p[2].y, p[3].y) &&
                            same(p[3].x, p[0].x);
    const bool steep_first = same(p[0].x, p[1].x) && same(p[1].y, p[2].y) && same(p[2].x, p[3].x) &&
                             same(p[3].y, p[0].y);
    return flat_first || steep_first;
}

std::string svg_filled(std::span<const Vec2> points, Color color, const Rect& clip) {
    const std::string paint = svg_paint("fill", color);
    if (is_box(points)) {
        const Rect r = intersection(bounds_of(points), clip);
        return r.w > 0 && r.h > 0 ? box(r, 0, paint) : std::string();
    }
    if (const auto circle = circle_of(points))
        return "<circle" + attribute("cx", circle->box.center().x) +
               attribute("cy", circle->box.center().y) + attribute("r", circle->radius) + paint +
               "/>\n";
    if (const auto round = rounded_box_of(points)) return box(round->box, round->radius, paint);
    return "<polygon points=\"" + point_list(points) + "\"" + paint + "/>\n";
}

SvgSegment segment_of(std::span<const Vec2> q) {
    SvgSegment s{middle(q[0], q[3]), middle(q[1], q[2]), distance(q[0], q[3]), false};
    const Vec2 along = s.to - s.from, across = q[3] - q[0];
    const float length = distance(s.from, s.to);
    s.is_line = same(distance(q[1], q[2]), s.width) && s.width > 0 && length > 0 &&
                std::abs(along.x * across.x + along.y * across.y) < 0.02f * length * s.width;
    return s;
}

std::string svg_stroked(std::span<const SvgSegment> segments, Color color) {
    const float width = segments.front().width;
    const std::string paint = stroke(color, width);
    Points corners;
    corners.reserve(segments.size() + 1);
    corners.push_back(segments.front().from);
    for (const SvgSegment& s : segments) corners.push_back(s.to);
    if (corners.size() == 2)
        return "<line" + attribute("x1", corners[0].x) + attribute("y1", corners[0].y) +
               attribute("x2", corners[1].x) + attribute("y2", corners[1].y) + paint + "/>\n";
    const bool closed = corners.size() > 3 && same(corners.front(), corners.back());
    if (closed) {
        corners.pop_back();
        if (const auto shape = outlined(corners, width, color)) return *shape;
    }
    return std::string(closed ? "<polygon" : "<polyline") + " points=\"" + point_list(corners) +
           "\" fill=\"none\"" + paint + "/>\n";
}

std::string svg_mesh(std::span<const Vec2> corners, Color color) {
    using Key = std::pair<long, long>;
    const auto key = [](Vec2 p) {
        return Key{std::lround(p.x * kMeshGrid), std::lround(p.y * kMeshGrid)};
    };
    std::multimap<Key, Key> edges;  // from, to
    const auto add = [&](Key a, Key b) {
        if (a == b) return;
        auto [at, end] = edges.equal_range(b);
        for (; at != end; ++at)
            if (at->second == a) {
                edges.erase(at);
                return;
            }
        edges.emplace(a, b);
    };
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        const Vec2 a = corners[i];
        Vec2 b = corners[i + 1], c = corners[i + 2];
        // One way around for all, so that a shared edge is walked both ways.
        if ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) < 0) std::swap(b, c);
        add(key(a), key(b)), add(key(b), key(c)), add(key(c), key(a));
    }
    constexpr double kGrid{kMeshGrid};
    std::string path;
    while (!edges.empty()) {
        Key at = edges.begin()->first;
        char letter = 'M';
        for (auto next = edges.find(at); next != edges.end(); next = edges.find(at)) {
            path += letter + svg_number(static_cast<double>(at.first) / kGrid) + " " +
                    svg_number(static_cast<double>(at.second) / kGrid);
            letter = 'L';
            at = next->second;
            edges.erase(next);
        }
        path += 'Z';
    }
    return path.empty() ? path : "<path d=\"" + path + "\"" + svg_paint("fill", color) + "/>\n";
}

}  // namespace kv
