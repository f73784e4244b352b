#include "app/frame/start/clock.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

TEST_CASE("the picture takes a step each 1.6 seconds and begins again after the last", "[start]") {
    StartUi ui{.open = true};
    move_picture(ui, {.now = 100, .n_steps = 0});  // nothing is computed yet
    CHECK(ui.step == 1);
    move_picture(ui, {.now = 100.1, .n_steps = 3});
    CHECK(ui.step == 1);
    CHECK(ui.is_moving);
    CHECK(picture_due(ui, {.now = 100.1, .n_steps = 3}) == 100.1);
    move_picture(ui, {.now = 100.7, .n_steps = 3});
    CHECK(ui.way == 1);
    CHECK_FALSE(ui.is_moving);
    CHECK(picture_due(ui, {.now = 100.7, .n_steps = 3}) == 101.6);
    move_picture(ui, {.now = 101.6, .n_steps = 3});
    CHECK(ui.step == 2);
    CHECK(ui.way == 0);
    move_picture(ui, {.now = 103.3, .n_steps = 3});
    CHECK(ui.step == 3);
    CHECK(ui.rounds == 0);
    move_picture(ui, {.now = 105, .n_steps = 3});
    CHECK(ui.step == 1);
    CHECK(ui.rounds == 1);
}

TEST_CASE("a picture that was stopped stands, and one that does not move shows its last step",
          "[start]") {
    StartUi ui{.open = true, .step = 2, .since = 10};
    ui.playing = false;
    move_picture(ui, {.now = 20, .n_steps = 6});
    CHECK(ui.step == 2);
    CHECK_FALSE(picture_due(ui, {.now = 20, .n_steps = 6}));

    ui.playing = true;
    move_picture(ui, {.now = 20, .n_steps = 6, .still = true});
    CHECK(ui.step == 6);
    CHECK(ui.way == 1);
    CHECK_FALSE(picture_due(ui, {.now = 20, .n_steps = 6, .still = true}));

    ui.step = 9, ui.chosen = true;
    move_picture(ui, {.now = 20, .n_steps = 6, .still = true});
    CHECK(ui.step == 6);  // there is no ninth
    ui.step = 3;
    move_picture(ui, {.now = 21, .n_steps = 6, .still = true});
    CHECK(ui.step == 3);
}
