#pragma once
// Where the parts of the page stand: in a wide window the doors at the left and the picture beside
// them, in a narrower one the picture under the sentences and the doors below it, and below that no
// picture. What does not fit scrolls; the doors are never left out. Pure; logical pixels.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "app/shell/geometry.hpp"

namespace kv {

inline constexpr float kBesideFrom = 1600, kPictureFrom = 1280;  // widths of the window

enum class StartText : std::uint8_t { Title, Why, Show, Learn, Own, Hint, Escape };
struct StartNeeds {
    Vec2 window;  // the top bar is part of it
    // How high a text is in that size and width.
    std::function<float(StartText text, float size, float width)> height_of;
    std::array<float, 3> comfort = {};  // widths of text size, theme and motion, labels included
};

enum class StartArrangement : std::uint8_t { Beside, Under, Alone };

struct DoorPlan {
    Rect box;
    std::optional<Rect> thumb;
    Rect title, words, key;
};
struct StartPlan {
    StartArrangement arrangement = StartArrangement::Alone;
    Rect panel;        // of the window; all that follows is inside it, and may be scrolled
    float height = 0;  // of what stands in it; more than the panel is scrolled
    float title_size = 46, why_size = 20, why_pitch = 31;
    float door_title = 22, door_words = 15, door_pitch = 22, field_size = 18;
    Rect title, why;
    std::array<DoorPlan, 3> doors;
    Rect field, run, hint;  // in the third door
    Rect escape;
    std::optional<Rect> picture;
    std::optional<float> divider;  // x of the line between the doors and the picture
    float rule = 0;                // y of the line above the comfort settings
    std::array<Rect, 3> comfort;   // text size, theme, motion
};
StartPlan plan_start(const StartNeeds& needs);

// The distance from line to line of a text of the page in that size.
float start_pitch(StartText text, float size);

}  // namespace kv
