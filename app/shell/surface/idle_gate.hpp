#pragma once
// Decides when the window draws and how long it may sleep. After input or a change a few frames are
// drawn (ImGui settles in two), one more when tooltips are due, then none until something happens.
// Pure: the time comes from outside, so a test drives it.

namespace kv {

struct FrameState {
    double now = 0;          // seconds of any clock; may jump
    bool animating = false;  // something moves by itself
    bool focused = true;
    bool visible = true;  // false while minimised
};

class IdleGate {
public:
    void changed(double now);  // input arrived, or what is shown changed

    // Seconds that the program may wait for events: 0 to draw at once, Surface::kNoLimit for no
    // limit.
    double wait_time(const FrameState& state) const;
    // Whether this frame is drawn; counts it as drawn when it is.
    bool draw(const FrameState& state);

private:
    double until_due(const FrameState& state) const;

    int frames_left_ = 3;  // the first picture
    double last_drawn_ = 0;
    bool drawn_once_ = false;
    double settle_at_ = 0;
    bool settling_ = false;
};

}  // namespace kv
