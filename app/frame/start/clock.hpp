#pragma once
// How the picture of the page goes on by itself: one step each 1.6 seconds, back to the start after
// the last one, and in each of them a short way of the newest key and value. Pure: the time is
// given.

#include <cstdint>
#include <optional>

#include "app/frame/state/start_ui.hpp"

namespace kv {

inline constexpr double kStartPeriod = 1.6, kStartTravel = 0.6;  // seconds

struct StartPace {
    double now = 0;  // seconds of a clock that never goes back
    std::uint32_t n_steps = 0;
    bool still = false;  // motion is reduced: the last step, or the one that was chosen
};
void move_picture(StartUi& ui, const StartPace& pace);

// When the picture is another one next; none while it stands.
std::optional<double> picture_due(const StartUi& ui, const StartPace& pace);

}  // namespace kv
