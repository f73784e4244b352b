#include "app/live/race/desk.hpp"

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kFrame = 1.0 / 60;  // seconds
constexpr double kUntilHeld = 1e6;

}  // namespace

void RaceDesk::start(RaceUi& race) {
    const Asked asked{race.ask, race.again};
    if (!race.wanted || asked_ == asked) return;
    // The same race once more is the one there is, but for a file that may have been written anew.
    const bool same = asked_ && asked_->ask == asked.ask && race.race && race.refused.empty() &&
                      !holding_.busy() && !race.stopped && !race.race->is_file;
    asked_ = asked;
    if (same) return;
    race.refused = {}, race.stopped = false;
    holding_.start([ask = race.ask, wake = wake_, seen = 0](const Progress& tell) mutable {
        return hold_race(ask, [&](double done) {
            const int percent = static_cast<int>(done * 100);
            if (std::exchange(seen, percent) != percent && wake) wake();
            return tell(done);
        });
    });
}

void RaceDesk::take(RaceUi& race, double seconds) {
    if (std::exchange(race.stop, false) && holding_.busy()) {
        holding_.stop();
        race.stopped = true;
    }
    if (holding_.busy()) {
        try {
            if (auto held = holding_.take(seconds)) {
                race.race = std::move(held);
                if (race.place) race.go(*race.place);  // it may have been sent there before
            }
        } catch (const Error& refused) {
            race.refused = said_of(refused);
        }
    }
    race.progress = holding_.busy() ? std::optional(holding_.progress()) : std::nullopt;
}

void RaceDesk::play(RaceUi& race, double now) {
    const double since = played_at_ ? now - *played_at_ : 0;
    played_at_ = race.playing ? std::optional(now) : std::nullopt;
    if (!race.playing || !race.race) return;
    race.go(played_to(race.at(), race.speed, since, race.longest()));
    if (race.iteration() >= race.longest()) race.playing = false;
}

void RaceDesk::tick(RaceUi& race, double now, double seconds) {
    start(race);
    take(race, seconds);
    play(race, now);
}

void RaceDesk::finish(RaceUi& race) {
    start(race);
    while (holding_.busy()) take(race, kUntilHeld);
    take(race, 0);
}

std::optional<double> RaceDesk::acts_next_at(const RaceUi& race) const {
    if (!race.playing || !played_at_) return std::nullopt;
    return *played_at_ + kFrame;
}

}  // namespace kv
