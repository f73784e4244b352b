#pragma once
// The guided minute on the run: where each stop has the cursor and the focus.
#include "app/frame/state/app_state.hpp"
#include "app/live/cursor_driver.hpp"

namespace kv {

inline constexpr const char* kMinuteScene = "first-minute";

// The first stop, in its scene, which has been opened.
void begin_minute(AppState& state, CursorDriver& driver);
// Goes to the stop so many further on or back; behind the last one and before the first there is
// none. Throws Refused where no minute is open.
void go_to_stop(AppState& state, CursorDriver& driver, int by);

}  // namespace kv
