#pragma once
// The task that is under way, in a strip over the tank: what is to be done, its conditions as the
// cursor stands, and the ways on. It stays in sight in Explore and Compare.

#include <functional>

#include "app/frame/state/app_state.hpp"
#include "app/panels/lesson/view.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// Pixels; 0 where there is none.
float task_strip_height(const Ui& ui, const AppState& state, const LessonView* lesson, float width);
void draw_task_strip(const Ui& ui, const LessonView& lesson, const Rect& box);

// How the strip is divided: pure, in pixels. The conditions go under the task where they would
// leave too little room beside it.
struct TaskStripNeeds {
    float width = 0, unit = 1;
    float buttons = 0, button_height = 0;  // all of them in a row
    std::function<float(float width)> task_height, conditions_height;
};
struct TaskStripPlan {
    Rect task, conditions, buttons;
    float height = 0;
};
TaskStripPlan plan_task_strip(const TaskStripNeeds& needs);

}  // namespace kv
