#include "app/live/playhead.hpp"

#include <utility>

namespace kv {
namespace {

double pause_of(const Playback& playback) {
    return 0.5 / playback.speed;
}

}  // namespace

void Playhead::go(Goal goal, Then then) {
    goal_ = std::move(goal), then_ = std::move(then);
}

void Playhead::stop() {
    goal_ = {}, then_ = {};
}

Moved Playhead::advance(RunCursor& run) {
    const Moved moved = goal_(run);
    if (moved != Moved::NeedsMore) goal_ = {};
    return moved;
}

void Playhead::play(const Playback& playback, double now) {
    if (!playback.playing || goal_ || now - last_step_ < pause_of(playback)) return;
    last_step_ = now;
    goal_ = [step = playback.step](RunCursor& run) { return run.try_forward(step); };
}

std::optional<double> Playhead::due(const Playback& playback) const {
    if (!playback.playing) return std::nullopt;
    return last_step_ + pause_of(playback);
}

}  // namespace kv
