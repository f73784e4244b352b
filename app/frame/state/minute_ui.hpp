#pragma once
// What the guided minute remembers: at which stop it is, and what is typed at its last one. The
// owner of the run (app/live) opens it and moves it from stop to stop.

#include <cstdint>
#include <string>

#include "app/shell/geometry.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/reused.hpp"

namespace kv {

inline constexpr std::uint32_t kMinuteStops = 8;

struct MinuteUi {
    bool open = false;
    std::uint32_t stop = 1;       // 1 to kMinuteStops
    bool waits_for_step = false;  // the run was seen before the step that the stop asks for

    std::string sentence = {};
    Said problem = {};           // why it was not run; until it is changed
    bool takes_keyboard = true;  // the field, once the last stop is drawn
    bool has_keyboard = false;

    List<Rect> lit = {};  // where the mouse reached the window in the last frame, pixels
};

}  // namespace kv
