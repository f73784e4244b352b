#pragma once
// Where the cursor of a run is going, and what is done when it is there. Play is a goal of one step
// again and again, with a pause between.

#include <functional>
#include <optional>
#include <utility>

#include "app/frame/state/app_state.hpp"
#include "app/session/run_cursor.hpp"
#include "core/base/error.hpp"

namespace kv {

class Playhead {
public:
    using Goal = std::function<Moved(RunCursor&)>;
    using Then = std::function<void(AppState&)>;

    // Instead of any goal there is.
    void go(Goal goal, Then then = {});
    void stop();
    bool has_goal() const { return static_cast<bool>(goal_); }

    // One try. NeedsMore: the goal lies behind what is recorded; else it is reached, or nothing
    // more comes, and it is a goal no longer.
    Moved advance(RunCursor& run);
    Then take_then() { return std::exchange(then_, {}); }

    void play(const Playback& playback, double now);
    // When play goes on, if it plays.
    std::optional<double> due(const Playback& playback) const;

private:
    Goal goal_;
    Then then_;
    double last_step_ = 0;  // time at which play went on
};

// Throws a refusal where the run has ended before the iteration that was asked for.
void refuse_beyond(const Snapshot& now, std::uint32_t asked, ErrorCode code = ErrorCode::Usage);

}  // namespace kv
