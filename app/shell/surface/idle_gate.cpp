#include "app/shell/surface/idle_gate.hpp"

#include <algorithm>

#include "app/shell/surface/surface.hpp"

namespace kv {
namespace {

constexpr int kFramesAfterChange = 3;
constexpr double kFocusedInterval = 1.0 / 120;  // a display's own rhythm comes from the buffer swap
constexpr double kUnfocusedInterval = 1.0 / 20;
constexpr double kTooltipDelay = 0.35;  // a little more than the style's 0.3 s

}  // namespace

void IdleGate::changed(double now) {
    frames_left_ = kFramesAfterChange;
    settle_at_ = now + kTooltipDelay;
    settling_ = true;
}

// Negative or a number out of reason (the clock jumped) counts as due.
double IdleGate::until_due(const FrameState& state) const {
    if (!drawn_once_) return 0;
    const double interval = state.focused ? kFocusedInterval : kUnfocusedInterval;
    const double left = last_drawn_ + interval - state.now;
    return left > 0 && left <= interval ? left : 0;
}

double IdleGate::wait_time(const FrameState& state) const {
    if (!state.visible) return Surface::kNoLimit;
    if (frames_left_ > 0) return 0;
    const double settle = std::clamp(settle_at_ - state.now, 0.0, kTooltipDelay);
    if (state.animating) return settling_ ? std::min(settle, until_due(state)) : until_due(state);
    return settling_ ? settle : Surface::kNoLimit;
}

bool IdleGate::draw(const FrameState& state) {
    if (!state.visible) return false;
    const bool clock_jumped_back = state.now < settle_at_ - 2 * kTooltipDelay;
    if (settling_ && (state.now >= settle_at_ || clock_jumped_back)) {
        settling_ = false;
        frames_left_ = std::max(frames_left_, 2);
    }
    const bool due = frames_left_ > 0 || (state.animating && until_due(state) == 0);
    if (!due) return false;
    if (frames_left_ > 0) --frames_left_;
    last_drawn_ = state.now;
    drawn_once_ = true;
    return true;
}

}  // namespace kv
