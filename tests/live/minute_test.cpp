#include "app/live/minute.hpp"

#include <catch2/catch_test_macros.hpp>

#include "app/frame/minute/stops.hpp"
#include "app/shell/texts/said.hpp"

using namespace kv;

TEST_CASE("each stop of the minute has its own look, and there is none before or behind them",
          "[live][minute]") {
    AppState state;
    CursorDriver driver;
    CHECK_THROWS_AS(go_to_stop(state, driver, 1), Refused);  // no minute is open
    begin_minute(state, driver);
    CHECK(state.minute.open);
    CHECK(state.minute.stop == 1);
    CHECK(state.run.playback.step == Granularity::Token);
    CHECK(driver.has_goal());
    driver.stop();
    go_to_stop(state, driver, -1);
    CHECK(state.minute.stop == 1);
    CHECK_FALSE(driver.has_goal());
    for (std::uint32_t stop = 2; stop <= kMinuteStops; ++stop) {
        state.run.focus.block = BlockId(3);  // what the reader did at the stop before
        state.run.playback.playing = true;
        go_to_stop(state, driver, 1);
        CHECK(state.minute.stop == stop);
        CHECK_FALSE(state.run.focus.block);
        CHECK(state.run.focus.token == look_of(stop).token);
        CHECK(state.bring_to_front == look_of(stop).panels);
        CHECK_FALSE(state.run.playback.playing);
    }
    go_to_stop(state, driver, 1);
    CHECK(state.minute.stop == kMinuteStops);
}
