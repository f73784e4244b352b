#include "app/frame/start/clock.hpp"

#include <algorithm>

namespace kv {
namespace {

float way_after(double seconds) {
    const double t = std::clamp(seconds / kStartTravel, 0.0, 1.0);
    return static_cast<float>(t * t * (3 - 2 * t));  // leaves and arrives slowly
}

}  // namespace

void move_picture(StartUi& ui, const StartPace& pace) {
    ui.is_moving = false;
    if (pace.n_steps == 0) {
        ui.since = pace.now;
        return;
    }
    ui.step = std::clamp(ui.step, 1u, pace.n_steps);
    if (pace.still) {
        if (!ui.chosen) ui.step = pace.n_steps;
        ui.since = pace.now, ui.way = 1;
        return;
    }
    if (!ui.playing) return;
    if (pace.now >= ui.since + kStartPeriod) {
        if (ui.step == pace.n_steps) ++ui.rounds;
        ui.step = ui.step % pace.n_steps + 1;
        ui.since = pace.now;
    }
    ui.way = way_after(pace.now - ui.since);
    ui.is_moving = ui.way < 1;
}

std::optional<double> picture_due(const StartUi& ui, const StartPace& pace) {
    if (!ui.open || !ui.playing || pace.still || pace.n_steps == 0) return std::nullopt;
    return ui.is_moving ? pace.now : ui.since + kStartPeriod;
}

}  // namespace kv
