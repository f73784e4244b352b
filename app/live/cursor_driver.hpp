#pragma once
// Where the cursor of a run is going, and what is done when it is there. A command only sets the
// goal; LiveRun::tick() then calls pursue() of ahead.hpp in every frame, which tries the goal on
// the cursor and lets the engine compute what it needs, until it is reached. Play is a goal of one
// step again and again, with a pause between.

#include <functional>
#include <optional>
#include <utility>

#include "app/frame/state/app_state.hpp"
#include "app/session/run_cursor.hpp"
#include "core/base/error.hpp"

namespace kv {

class CursorDriver {
public:
    // One try to move there. It is called again after each NeedsMore, once more is recorded.
    using Goal = std::function<Moved(RunCursor&)>;
    using WhenThere = std::function<void(AppState&)>;

    // The goal takes the place of any other.
    void go(Goal goal, WhenThere when_there = {});
    void stop();
    bool has_goal() const { return static_cast<bool>(goal_); }

    // One try. NeedsMore: the goal lies behind what is recorded; else it is reached, or nothing
    // more comes, and it is a goal no longer.
    Moved advance(RunCursor& run);
    WhenThere take_when_there() { return std::exchange(when_there_, {}); }

    void play(const Playback& playback, double now);
    // See LiveRun: when play goes on, if it plays.
    std::optional<double> acts_next_at(const Playback& playback) const;

private:
    Goal goal_;
    WhenThere when_there_;
    double last_step_ = 0;  // time at which play went on
};

// Throws a refusal where the run has ended before the iteration that was asked for.
void refuse_beyond(const Snapshot& now, std::uint32_t asked, ErrorCode code = ErrorCode::Usage);

}  // namespace kv
