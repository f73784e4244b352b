#pragma once
// The card of a stop: its title, what is said of each numbered part, how far one has come, and
// where one can go.

#include "app/frame/minute/minute.hpp"
#include "app/frame/minute/plan.hpp"
#include "app/frame/minute/stops.hpp"

namespace kv {

struct MinuteCard {
    const MinuteScene& scene;
    StopPlan stop;
    std::uint32_t first_lesson = 1;

    const Ui& ui() const { return scene.ui; }
    MinuteUi& own() const { return scene.state.minute; }
    bool is_last() const { return own().stop == kMinuteStops; }
    bool asks_for_step() const {
        return own().stop == static_cast<std::uint32_t>(MinuteStop::Step);
    }
};
float card_height(const MinuteCard& card, float width);  // pixels, both
// Draws the card into `box`, in the current window.
void draw_card(const MinuteCard& card, const Rect& box);

// A number in a light disc; radius in logical pixels.
void paint_disc(const Painter& p, Vec2 center, float radius, std::uint32_t number);

// What Enter and the button say: go on, make the step, or run the sentence.
void go_on(const MinuteCard& card);
void read_minute_keys(const MinuteCard& card);

}  // namespace kv
