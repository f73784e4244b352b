#pragma once
// The Lesson panel: a step to read, a prediction to make, an exercise to answer.

#include "app/panels/lesson/view.hpp"
#include "app/panels/view/focus.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_lesson(const Ui& ui, const LessonView& view, RunFocus& focus);

}  // namespace kv
