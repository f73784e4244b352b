#pragma once
// Where the parts of a watched server's picture stand: the pool's places as runs of one shade, the
// prefix tree as boxes, ages on one axis, the stream as bars of time. Pure: no imgui.h.

#include <array>
#include <optional>
#include <span>

#include "app/panels/attach/view.hpp"
#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

// ---- Ages as shades

// 1 was used just now, 0 as long ago as `oldest_s`; logarithmic between.
double freshness(double age_s, double oldest_s);
// What the scale of shades ends at: the oldest age there is, and never less than a minute.
double oldest_of(std::span<const PoolTexel> texels);

inline constexpr int kAgeShades = 24;
// 0 the oldest, kAgeShades - 1 just now. With 60 s as the oldest, 20 s is as fresh as
// 1 - ln 21 / ln 61 = 0.26, and so has shade 6.
int shade_of(double age_s, double oldest_s);
// The same for many ages: a logarithm for each of thirty thousand texels would take longer than a
// frame has.
class AgeShades {
public:
    explicit AgeShades(double oldest_s);
    int of(float age_s) const;

private:
    std::array<float, kAgeShades - 1> longest_;  // with at least the shade 1, 2, ...
};

// ---- Pool

struct PlaceGrid {
    int columns = 1, rows = 1;
    float side = 3;  // pixels of a place
};
// As large as the room allows, 16 logical pixels a place at most and one pixel at least: of 30,000
// places 200 x 100 would fit into 600 x 300 pixels with a side of 3, so theirs is 2.
PlaceGrid place_grid(Vec2 room, float unit, std::uint64_t places);
// The place under a point, counted from the corner of the grid. What the last column leaves of the
// room has none.
std::optional<std::size_t> place_at(const PlaceGrid& grid, Vec2 point);

// Places in a row that have one shade, drawn as one rectangle; x and w count places.
struct PlaceRun {
    int row = 0, x = 0, w = 0, shade = 0;
};
void plan_places(std::span<const PoolTexel> texels, const PlaceGrid& grid, double oldest_s,
                 List<PlaceRun>& runs);

// Places that belong to one numbered prefix, next to each other.
struct PlateSpan {
    std::uint32_t plate = 0;
    std::size_t first = 0, count = 0;
};
List<PlateSpan> plate_spans(std::span<const PoolTexel> texels);

// ---- Tree

struct PrefixBox {
    std::size_t bar = 0;
    float x = 0, y = 0, h = 0;
    float w_top = 0, w_bottom = 0;  // blocks at its start and at its end
};
// Chains side by side of which each would be too narrow, drawn as one.
struct PrefixCrowd {
    Rect at;
    std::uint64_t chains = 0, blocks = 0;
    std::uint64_t from_token = 0, to_token = 0;  // to the end of the longest
    float age_s = 0;                             // the mean
};
struct PrefixPlan {
    List<PrefixBox> boxes;  // parents before children
    List<PrefixCrowd> crowds;
    std::uint64_t depth = 0;                // tokens at the bottom of the axis
    List<std::uint64_t> ticks;              // tokens
    const PrefixBox* at(Vec2 point) const;  // null: none is there
    const PrefixCrowd* crowd_at(Vec2 point) const;
};
// Width is blocks, depth is tokens. Bars narrower than half a pixel are drawn together.
PrefixPlan plan_prefixes(const TankTree& tree, const Rect& room);

// ---- Ages

// 0 at the left end of the axis, 1 at the right one.
double age_share(double seconds);
std::uint64_t most_of(const AgeHistogram& ages);

// ---- Stream

struct StreamSpan {
    double from_s = 0, to_s = 60;
    float x_of(double at_s, float width) const {
        return static_cast<float>((at_s - from_s) / (to_s - from_s)) * width;
    }
    double at(float x, float width) const {
        return from_s + static_cast<double>(x / width) * (to_s - from_s);
    }
};
// From the oldest rate to the newest moment, a minute at least.
StreamSpan stream_span(const ServerView& view);

struct StreamBar {
    float x = 0, w = 0;
    double stored_per_s = 0, removed_per_s = 0;
};
// Bars that would be narrower than three pixels are joined, and keep the higher of their rates.
List<StreamBar> plan_stream(std::span<const RateBin> rates, const StreamSpan& span, float width);

// "25:00", and with hours "1:05:00"
Text clock_of(double seconds);
// "59.7 s", "12 min"
Text age_of(double seconds);

}  // namespace kv
