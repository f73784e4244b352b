#pragma once
// The page that a first start opens, and that Help brings back: what the program is, three doors, a
// small run, and how it is read. It stands in place of the panels and leaves the run below it
// alone.

#include "app/frame/start/view.hpp"
#include "app/frame/state/app_state.hpp"
#include "app/panels/lesson/view.hpp"

namespace kv {

struct StartScene {
    const Ui& ui;
    AppState& state;
    const StartView& view;
    const LessonView* lesson = nullptr;  // null: nobody knows the lessons
    bool read_keys = true;
    bool popup_was_open = false;  // at the end of the last frame: Esc was for that
};
void draw_start(const StartScene& scene);

// Whether the key of a command says something while the page is open: it is for the window, not for
// the run below.
bool reaches_start(const CommandRow& command);

}  // namespace kv
