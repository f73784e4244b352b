#pragma once
// Where the lanes, ticks and zoom rows of the timeline stand. Pure: no imgui.h. Sizes are pixels,
// `unit` is pixels per logical pixel; everything is relative to the timeline's upper left corner.

#include <cstdint>
#include <optional>
#include <span>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"
#include "core/trace/event/words.hpp"

namespace kv {

struct TimelineAsk {
    Vec2 room;
    float unit = 1;
    std::size_t n_requests = 0;
    std::uint32_t n_iterations = 0;  // recorded
    std::size_t n_layers = 0;
    bool two_sides = false;  // the two lanes of a comparison, thick enough to be told apart
};

// A part of a pass in the two zoom rows.
struct ZoomCell {
    Rect rect;
    std::uint32_t index = 0;  // layer, or place in the order of the ops
};

struct Timeline {
    bool tall = false;      // with tags, ticks, marks and zoom rows
    float label_width = 0;  // room left of the lanes
    Rect lanes;             // all of them together
    float pitch = 0, thick = 0, thin = 0;
    std::size_t n_lanes = 0;  // that fit; the others are counted in words
    std::optional<Rect> ticks, marks, layers, ops;
    std::uint32_t n_iterations = 1;  // of the axis
    std::uint32_t tick_step = 1;

    float x_of(double iteration) const;         // the left edge of iteration 1 is x_of(1)
    std::uint32_t iteration_at(float x) const;  // clamped
    Rect lane(std::size_t i, bool is_thick, std::uint32_t first, std::uint32_t last) const;
    float lane_middle(std::size_t i) const;
};
Timeline plan_timeline(const TimelineAsk& ask);

// Names on the bars of thin lanes: where a bar begins, or a little later where another name stands
// in the way; none where the bar ends before. In the order in which the bars are given.
struct LaneBar {
    std::size_t row = 0;
    std::uint32_t first = 0, last = 0;  // iterations
};
struct LaneName {
    std::size_t row = 0;
    Rect rect;
};
struct NameRoom {
    float size = 14, height = 0, gap = 2;
};
List<LaneName> place_lane_names(const Timeline& plan, std::span<const LaneBar> bars,
                                const NameRoom& room);

// Equal cells side by side with a gap of `gap` pixels.
List<ZoomCell> zoom_cells(const Rect& row, std::size_t n, float gap);

// The parts of one layer, in the order in which they are computed.
inline constexpr Op kLayerOps[] = {Op::Project, Op::Rotate, Op::Append,
                                   Op::Attend,  Op::Output, Op::Mlp};

}  // namespace kv
