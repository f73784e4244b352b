#pragma once
// Where things stand in one side of Compare, and the picture of its heads. Pure: no imgui.h. All
// numbers are pixels from the upper left corner of the room; `unit` is pixels per logical pixel.

#include <optional>
#include <vector>

#include "app/shell/geometry.hpp"
#include "core/base/numbers/checked.hpp"

namespace kv {

// What only the fonts know.
struct SideNeeds {
    float codecs_width = 0;  // of both format switches with their labels
    float equation_height = 0, small_equation_height = 0;  // of the boxes, in the width of the room
    std::size_t cost_rows = 5;
};

struct SidePlan {
    Rect mark, model;
    std::optional<Rect> form;  // a quiet sentence beside the model, instead of the heads
    Rect codecs;
    std::optional<Rect> heads;  // left out when the panel is low
    Rect equation, costs;       // each with its head line
    bool small_equation = false;
    float head_height = 0;  // of such a head line
    float cost_pitch = 0;   // distance of two cost rows
    float height = 0;       // of all; more than the room when the panel has to scroll
};
SidePlan layout_side(Vec2 room, float unit, const SideNeeds& needs);

// Query heads above, KV heads below, and which of them belong together. A KV head is as wide as a
// query head, so the width of the lower row is the size of the cache.
struct HeadsPlan {
    struct KvHead {
        Rect box;
        float first = 0, last = 0;  // middles of the first and the last query head that reads it
    };
    std::vector<Rect> query;
    std::vector<KvHead> kv;
    float bus_y = 0;  // where the lines of a group meet
    float height = 0;
};
HeadsPlan layout_heads(u64 n_heads, u64 n_kv_heads, float width, float unit);

}  // namespace kv
