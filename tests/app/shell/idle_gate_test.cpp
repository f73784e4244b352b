// The loop's rhythm, driven by a clock that the test owns.

#include "app/shell/surface/idle_gate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "app/shell/surface/surface.hpp"

using namespace kv;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double kNoLimit = Surface::kNoLimit;

// Sleeps as long as the gate says and counts the frames before `end`; stops where it would sleep
// for good.
struct Loop {
    IdleGate gate;
    FrameState state;
    int frames = 0;

    void run_until(double end) {
        while (state.now < end) {
            const double wait = gate.wait_time(state);
            if (wait == kNoLimit) return;
            state.now += wait;
            if (state.now > end) return;
            if (gate.draw(state)) {
                ++frames;
                state.now += 0.001;  // a frame takes a millisecond
            } else {
                REQUIRE(wait > 0);  // neither drawing nor sleeping would burn a core
            }
        }
    }
};

// A gate that has drawn its first picture and sleeps.
Loop asleep() {
    Loop loop;
    loop.run_until(1e9);
    loop.frames = 0;
    return loop;
}

}  // namespace

TEST_CASE("the first picture takes three frames, then the window sleeps for good", "[idle]") {
    Loop loop;
    loop.run_until(1e9);
    CHECK(loop.frames == 3);
    CHECK(loop.gate.wait_time(loop.state) == kNoLimit);
    CHECK_FALSE(loop.gate.draw(loop.state));
}

TEST_CASE("a change draws three frames at once and two when tooltips are due", "[idle]") {
    Loop loop = asleep();
    const double start = loop.state.now;
    loop.gate.changed(start);
    CHECK(loop.gate.wait_time(loop.state) == 0);
    loop.run_until(start + 0.3);
    CHECK(loop.frames == 3);
    loop.run_until(start + 1e6);
    CHECK(loop.frames == 5);
    CHECK_THAT(loop.state.now, WithinAbs(start + 0.352, 1e-6));  // two frames of a millisecond
    CHECK(loop.gate.wait_time(loop.state) == kNoLimit);
}

TEST_CASE("the sleep before the tooltip frames ends when they are due", "[idle]") {
    Loop loop = asleep();
    const double start = loop.state.now;
    loop.gate.changed(start);
    loop.run_until(start + 0.1);
    CHECK(loop.frames == 3);
    CHECK_THAT(loop.state.now, WithinAbs(start + 0.35, 1e-6));
}

TEST_CASE("each new event starts the count again", "[idle]") {
    Loop loop = asleep();
    for (int i = 0; i < 10; ++i) {
        loop.gate.changed(loop.state.now);
        CHECK(loop.gate.draw(loop.state));
        loop.state.now += 0.01;
    }
    loop.run_until(loop.state.now + 0.1);
    CHECK(loop.gate.wait_time(loop.state) <= 0.35);
}

TEST_CASE("an animation in the focused window draws at the display's pace", "[idle]") {
    Loop loop = asleep();
    loop.state.animating = true;
    loop.run_until(loop.state.now + 1.0);
    CHECK(loop.frames >= 100);  // 120 a second at most; a display's own pace is slower
    CHECK(loop.frames <= 121);
}

TEST_CASE("an animation in an unfocused window draws about 20 frames a second", "[idle]") {
    Loop loop = asleep();
    loop.state.animating = true;
    loop.state.focused = false;
    loop.run_until(loop.state.now + 10.0);
    CHECK(loop.frames >= 195);
    CHECK(loop.frames <= 201);
}

TEST_CASE("when the animation ends the window sleeps", "[idle]") {
    Loop loop = asleep();
    loop.state.animating = true;
    loop.run_until(loop.state.now + 0.5);
    loop.state.animating = false;
    CHECK(loop.gate.wait_time(loop.state) == kNoLimit);
}

TEST_CASE("a minimised window draws nothing and waits", "[idle]") {
    Loop loop = asleep();
    loop.state.visible = false;
    loop.state.animating = true;
    loop.gate.changed(loop.state.now);
    CHECK(loop.gate.wait_time(loop.state) == kNoLimit);
    CHECK_FALSE(loop.gate.draw(loop.state));
    loop.state.visible = true;
    CHECK(loop.gate.draw(loop.state));
}

TEST_CASE("a clock that jumps neither hangs nor floods", "[idle]") {
    for (const double jump : {-1e6, -1.0, 1e6, 1e300}) {
        Loop loop = asleep();
        loop.state.now = 100;
        loop.gate.changed(100);
        loop.run_until(100.1);
        loop.state.now = 100 + jump;
        for (int i = 0; i < 10 && loop.gate.draw(loop.state); ++i) ++loop.frames;
        CHECK(loop.frames <= 6);
        const double wait = loop.gate.wait_time(loop.state);
        CHECK((wait == kNoLimit || (wait >= 0 && wait <= 0.35)));
    }
}
