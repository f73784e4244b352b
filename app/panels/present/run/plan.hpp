#pragma once
// Where the parts of Present stand while something runs without a lesson: designed at 1920 x 1080,
// scaled to fit, its words by the size of text as well. The picture yields to them. Pure; pixels.

#include "app/panels/present/layout.hpp"
#include "app/panels/present/run/picture_plan.hpp"

namespace kv {

struct PresentRunPlan : RunPicturePlan {
    float unit = 1;   // pixels per pixel of the design
    float words = 1;  // and of its words
    Rect title, chart;
    float rule_y = 0;
    Rect caption, page, prose, buttons;
};
PresentRunPlan plan_present_run(const Rect& room, const PresentRunNeeds& needs,
                                const PresentLook& look = {});

}  // namespace kv
