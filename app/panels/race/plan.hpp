#pragma once
// Where everything of the race stands, in logical pixels from the top left corner of the panel.
// Pure: no imgui.h, tested without a window. A small room gives up, one after the other: rules, the
// bars beside the strips, names beside the strips; the strips become thinner down to a least
// height, and below that the panel is scrolled. In a low room the words above the strips go first.

#include <span>
#include <vector>

#include "app/shell/geometry.hpp"

namespace kv {

// How wide words and controls are, as the painter measured them.
struct RaceWidths {
    float title = 0, subtitle = 0, note = 0;
    float choices = 0;    // workload, faults, again
    float transport = 0;  // buttons and speed
    float sentence = 0;
    float legend = 0, measured = 0;
};

struct RaceLanePlan {
    Rect whole;  // what is lit when it is chosen
    Rect name;   // name, rule, count
    Rect strip;
    Rect running;  // running now, and waiting
    Rect bar;      // the means and the paper's; no width where there is no room
};

struct RacePlan {
    Rect title, subtitle, choices, note;  // no width: no room for the words
    Rect strip_head, running_head, bar_head;
    std::vector<RaceLanePlan> lanes;
    Rect axis;
    Rect legend, measured;  // no width: no room for it
    float rule_y = 0;       // the line above the foot
    Rect transport, sentence;
    float title_size = 26;
    bool rules = true;           // two lines about each allocator
    bool names_above = false;    // in one line above the strip
    bool short_choices = false;  // the workload as a list
    float height = 0;            // more than the room: scrolled
};
RacePlan plan_race(Vec2 room, const RaceWidths& widths, std::size_t n_lanes);

}  // namespace kv
