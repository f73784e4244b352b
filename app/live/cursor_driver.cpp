#include "app/live/cursor_driver.hpp"

#include <utility>

#include "app/shell/texts/said.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

double pause_of(const Playback& playback) {
    constexpr double kAtSpeedOne = 0.5;  // seconds
    return kAtSpeedOne / playback.speed;
}

}  // namespace

void CursorDriver::go(Goal goal, WhenThere when_there) {
    goal_ = std::move(goal), when_there_ = std::move(when_there);
}

void CursorDriver::stop() {
    goal_ = {}, when_there_ = {};
}

Moved CursorDriver::advance(RunCursor& run) {
    const Moved moved = goal_(run);
    if (moved != Moved::NeedsMore) goal_ = {};
    return moved;
}

void CursorDriver::play(const Playback& playback, double now) {
    // A step that is still being computed is waited for: play leaves none out.
    if (!playback.playing || goal_ || now - last_step_ < pause_of(playback)) return;
    last_step_ = now;
    goal_ = [step = playback.step](RunCursor& run) { return run.try_forward(step); };
}

std::optional<double> CursorDriver::acts_next_at(const Playback& playback) const {
    if (!playback.playing) return std::nullopt;
    return last_step_ + pause_of(playback);
}

void refuse_beyond(const Snapshot& now, std::uint32_t asked, ErrorCode code) {
    if (now.iteration >= asked) return;
    throw Refused("refused.step.beyond"_t,
                  {{"n", with_commas(asked)}, {"last", with_commas(now.iteration)}}, code);
}

}  // namespace kv
