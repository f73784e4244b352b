#pragma once
// The guided minute: a cover over the window that leaves out what a stop speaks of, and a card that
// says it. The window stays live under it. Drawn after the panels, which have told where their
// parts stand.

#include "app/frame/state/app_state.hpp"
#include "app/panels/lesson/view.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct MinuteScene {
    const Ui& ui;
    AppState& state;
    const RunView& run;
    const DrawnParts& parts;
    const LessonView* lesson = nullptr;  // null: nobody knows the lessons
    bool read_keys = true;
    bool popup_was_open = false;  // at the end of the last frame: Esc was for that
};
void draw_minute(const MinuteScene& scene);

// Whether it lies over the picture in this frame: it waits while the run is being prepared.
bool shows_minute(const AppState& state);

}  // namespace kv
