#pragma once
// Present over the whole window: the page of a lesson, a run, or the bill, and the bar over it.

#include "app/frame/frozen_picture.hpp"
#include "app/frame/state/app_state.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct PresentInput {
    const RunView* run = nullptr;
    const RunView* other = nullptr;
    const LessonView* lesson = nullptr;
    float display_scale = 1;
};
void draw_present_layout(const Ui& ui, AppState& state, const PresentInput& in,
                         FrozenPicture& frozen, const Rect& room);

}  // namespace kv
