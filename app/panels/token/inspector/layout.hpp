#pragma once
// Where things stand in the inspector, one under the other, and in the parts that have a plan of
// their own. Pure: no imgui.h. Pixels from the upper left corner of the room.

#include <cstdint>
#include <span>

#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

enum class InspectorAbove : std::uint8_t {
    Address,  // the derivation of a token's address
    Facts,    // of a block that was selected by itself
    Sentence  // why there is no address
};
struct InspectorNeeds {
    InspectorAbove above = InspectorAbove::Address;
    List<float> switch_widths;  // pixels, with their labels
    std::uint32_t n_facts = 0;
    float sentence_height = 0;
    bool has_map = true, has_vector = true;
    std::uint32_t dim = 0;
    float cell_w = 0;  // the least for a code and a value
};
struct InspectorPlan {
    Rect title;
    List<Rect> switches;
    Rect above_head;
    Rect division, lookup;  // the two rows of boxes, the first with a line of names under it
    List<Rect> terms;       // and the facts of a block
    float sum_rule = 0;
    Rect sum;
    Rect sentence;
    float map_divider = 0;
    Rect map_head, map_names, map;  // the names of the heads stand over the map
    Rect vector_head;
    List<Rect> cells;
    Rect bits;  // with a line of names under them
    float sector_divider = 0;
    Rect sectors;
    float height = 0;
};
// Where not all of it fits, what a token's address leads to is seen before the rest of its block.
InspectorPlan layout_inspector(Vec2 room, float unit, const InspectorNeeds& needs);

// Boxes of a formula in one row: each as wide as its text and its padding, between them the width
// of the sign that joins them.
struct BoxNeeds {
    float width = 0, gap_before = 0;
};
List<Rect> layout_boxes(const Rect& row, std::span<const BoxNeeds> boxes);

// The boxes of an element's bits, fields apart; they share the width when it is narrow.
List<Rect> layout_bits(const Rect& room, float unit, std::span<const std::uint32_t> fields);

}  // namespace kv
