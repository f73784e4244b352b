// The guided minute on the run: its scene, and where each stop has the cursor and the focus.

#include <utility>

#include "app/frame/minute/stops.hpp"
#include "app/live/live_run.hpp"
#include "core/base/error.hpp"

namespace kv {

void LiveRun::start_minute(AppState& state) {
    open_scene("first-minute", look_of(1).iteration);
    opening_->then = [this, then = std::move(opening_->then)](AppState& later) {
        then(later);
        later.run.playback.step = Granularity::Token;
        later.run.stage = {};
        later.minute = {.open = true};
        show_stop(later, 1);
    };
    apply(state, {"layout.explore", {}});
}

void LiveRun::go_to_stop(AppState& state, int by) {
    if (!state.minute.open) throw Refused("refused.minute"_t);
    const int stop = static_cast<int>(state.minute.stop) + by;
    if (stop >= 1 && stop <= static_cast<int>(kMinuteStops))
        show_stop(state, static_cast<std::uint32_t>(stop));
}

void LiveRun::show_stop(AppState& state, std::uint32_t stop) {
    const MinuteLook look = look_of(stop);
    state.minute.stop = stop;
    state.minute.waits_for_step = false, state.minute.takes_keyboard = true;
    state.run.playback.playing = false;
    state.run.focus = RunFocus();
    state.run.focus.token = look.token;
    state.bring_to_front = look.panels;
    playhead_.go([n = look.iteration](RunCursor& run) { return run.try_to_iteration(n); });
}

}  // namespace kv
