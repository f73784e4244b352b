#pragma once
// Horizontal bars: a list that compares amounts, and one bar made of parts. The value stands at the
// right end in mono; the emphasised one is light and bold.

#include <optional>

#include "app/widgets/chart/bars_layout.hpp"
#include "app/widgets/hit.hpp"

namespace kv {

struct Bar {
    std::string_view label = {}, value = {};
    double amount = 0;
    bool emphasised = false;
    std::optional<Color> color = {};
    std::optional<double> tick = {};  // a reference amount, drawn as a line across the bar
};
struct BarsLook {
    double full = 0;   // amount of a full bar; 0: the largest
    float pitch = 17;  // logical pixels
    float thickness = 10;
    float label_width = 0;  // pixels; 0: the widest label
    float value_width = 0;  // pixels; 0: the widest value
};
// The hovered bar. One ImGui item for the whole list.
std::optional<std::size_t> draw_bars(const Ui& ui, const char* id, std::span<const Bar> bars,
                                     const BarsLook& look = {});

enum class SegmentFill : std::uint8_t { Solid, Hatched, Dashed, Empty };
struct Segment {
    double amount = 0;
    SegmentFill fill = SegmentFill::Solid;
    Color color{};                // ignored by Empty
    std::string_view label = {};  // written inside when it fits
};
struct StackLook {
    double capacity = 0;                   // 0: none
    float height = 14;                     // logical pixels
    bool track = true;                     // hairline frame and inset free room
    std::string_view capacity_label = {};  // at the capacity tick, above the bar
};
// The hovered segment (segments.size(): free room). Beyond the capacity everything is vermillion
// and hatched, with a tick in focus colour at the capacity.
std::optional<std::size_t> draw_stack(const Ui& ui, const char* id,
                                      std::span<const Segment> segments,
                                      const StackLook& look = {});

// A key for bars and charts where a direct label does not fit: swatch and text in a row, wrapping.
struct KeyEntry {
    SegmentFill fill = SegmentFill::Solid;
    Color color{};
    std::string_view label = {}, value = {};  // value is mono
};
void draw_key(const Ui& ui, std::span<const KeyEntry> entries);

}  // namespace kv
