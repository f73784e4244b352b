#include "app/live/minute.hpp"

#include "app/frame/minute/stops.hpp"
#include "app/shell/texts/said.hpp"

namespace kv {
namespace {

void show_stop(AppState& state, CursorDriver& driver, std::uint32_t stop) {
    const MinuteLook look = look_of(stop);
    state.minute.stop = stop;
    state.minute.waits_for_step = false, state.minute.takes_keyboard = true;
    state.run.playback.playing = false;
    state.run.focus = RunFocus();
    state.run.focus.token = look.token;
    state.bring_to_front = look.panels;
    driver.go([n = look.iteration](RunCursor& run) { return run.try_to_iteration(n); });
}

}  // namespace

void begin_minute(AppState& state, CursorDriver& driver) {
    state.run.playback.step = Granularity::Token;
    state.run.stage = {};
    state.minute = {.open = true};
    show_stop(state, driver, 1);
}

void go_to_stop(AppState& state, CursorDriver& driver, int by) {
    if (!state.minute.open) throw Refused("refused.minute"_t);
    const int stop = static_cast<int>(state.minute.stop) + by;
    if (stop >= 1 && stop <= static_cast<int>(kMinuteStops))
        show_stop(state, driver, static_cast<std::uint32_t>(stop));
}

}  // namespace kv
