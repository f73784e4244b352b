#pragma once
// What a drawn polygon is: a rectangle, one with round corners, a circle, a line, or just a
// polygon. Dear ImGui keeps only triangles; a person who edits the picture wants the shape back.
// Pure.

#include <span>
#include <string>
#include <vector>

#include "app/shell/geometry.hpp"
#include "app/shell/theme.hpp"

namespace kv {

using Points = std::vector<Vec2>;

Rect intersection(const Rect& a, const Rect& b);  // no width or height where there is none
Rect bounds_of(std::span<const Vec2> points);
// Four corners along the axes, in any order of walking around.
bool is_box(std::span<const Vec2> points);

// A filled polygon as the simplest element that it is, kept inside `clip` where that can be done by
// changing its numbers (boxes).
std::string svg_filled(std::span<const Vec2> points, Color color, const Rect& clip);

// A quad as a piece of a line: how Dear ImGui draws lines without smoothing.
struct SvgSegment {
    Vec2 from, to;
    float width = 0;
    bool is_line = false;  // the quad is a rectangle around from-to
};
SvgSegment segment_of(std::span<const Vec2> quad);

// Segments that follow each other as one line, closed where the last one ends where the first
// began.
std::string svg_stroked(std::span<const SvgSegment> segments, Color color);

// Triangles of one colour as the outlines of what they cover together: edges that two of them share
// are inside and go.
std::string svg_mesh(std::span<const Vec2> corners, Color color);

}  // namespace kv
