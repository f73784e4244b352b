#pragma once
// Where things stand in Present: one picture for a projector, designed at 1920 x 1080 and scaled to
// fit any window. Pure: no imgui.h. A window of another shape gives its extra room to the middle.

#include "app/shell/geometry.hpp"

namespace kv {

constexpr float kPresentWidth = 1920, kPresentHeight = 1080, kPresentMargin = 48;

struct PresentPlan {
    float unit = 1;   // pixels per pixel of the design
    float words = 1;  // and of the words below the picture
    Rect title;       // name of the picture at the left, what is shown at the right
    Rect equation;
    Rect bars, chart;
    float rule_y = 0;
    Rect caption, page, prose;
    Rect buttons;  // they end at its right edge
};
// How large the person reads, and what the bar at the top edge covers, in pixels.
struct PresentLook {
    float text_scale = 1;
    float bar = 0;
};
PresentPlan layout_present(const Rect& room, const PresentLook& look = {});

}  // namespace kv
