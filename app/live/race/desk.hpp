#pragma once
// Holds the races that the window asks for, on a thread of its own, and moves the playhead with the
// clock. What came of a race is written into the window's memory of it between two frames.

#include <functional>
#include <memory>
#include <optional>

#include "app/live/loading/background_load.hpp"
#include "app/live/race/hold.hpp"
#include "app/panels/race/ui.hpp"

namespace kv {

class RaceDesk {
public:
    // `wake` is called on the thread when something is ready.
    explicit RaceDesk(std::function<void()> wake) : holding_(wake), wake_(std::move(wake)) {}

    // Called once per frame: starts what is asked for, takes over what is ready, waiting at most
    // that long, and plays.
    void tick(RaceUi& race, double now, double seconds);
    // For pictures: waits until nothing is under way.
    void finish(RaceUi& race);
    // See LiveRun; none while nothing moves.
    std::optional<double> acts_next_at(const RaceUi& race) const;
    bool busy() const { return holding_.busy(); }

private:
    struct Asked {
        RaceAsk ask;
        u64 again = 0;
        friend bool operator==(const Asked&, const Asked&) = default;
    };
    void start(RaceUi& race);
    void take(RaceUi& race, double seconds);
    void play(RaceUi& race, double now);

    BackgroundLoad<std::shared_ptr<const RacedWorkload>> holding_;
    std::function<void()> wake_;
    std::optional<Asked> asked_;  // under way, or the last one
    std::optional<double> played_at_;
};

}  // namespace kv
