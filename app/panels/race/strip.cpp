#include "app/panels/race/strip.hpp"

#include <cmath>
#include <utility>

namespace kv {
namespace {

StripRun run_of(const RaceColumn& column, u64 pool, int height) {
    const double whole = static_cast<double>(pool) * static_cast<double>(column.count);
    const PoolUse& sum = column.sum;
    u64 below = 0;
    int edge = 0;
    // Each edge is rounded by itself, so that no rounding adds up.
    const auto up_to = [&](u64 slots) {
        below += slots;
        const int at =
            whole > 0 ? static_cast<int>(std::lround(height * (static_cast<double>(below) / whole)))
                      : 0;
        return at - std::exchange(edge, at);
    };
    StripRun run{.x = 0, .w = 1};
    run.live = up_to(sum.tokens);
    run.reserved = up_to(sum.reserved);
    run.internal = up_to(sum.internal);
    run.external = up_to(sum.external);
    run.free = height - edge;
    return run;
}

bool looks_like(const StripRun& a, const StripRun& b) {
    return a.live == b.live && a.reserved == b.reserved && a.internal == b.internal &&
           a.external == b.external;
}

}  // namespace

void fill_runs(std::span<const RaceColumn> columns, u64 pool, int height,
               std::vector<StripRun>& runs) {
    runs.clear();
    for (std::size_t x = 0; x < columns.size(); ++x) {
        StripRun run = run_of(columns[x], pool, height);
        run.x = static_cast<int>(x);
        if (!runs.empty() && looks_like(runs.back(), run))
            ++runs.back().w;
        else
            runs.push_back(run);
    }
}

void RaceStrips::follow(const std::shared_ptr<const RacedWorkload>& race, const RaceTime& time,
                        Size size) {
    if (race == race_ && time == time_ && size == size_) return;
    race_ = race, time_ = time, size_ = size;
    columns_.resize(static_cast<std::size_t>(size.w));
    runs_.resize(race->lanes.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const RaceRecord& lane = race->lanes[i];
        fill_columns(lane, time.first, time.count, columns_);
        fill_runs(columns_, lane.pool, size.h, runs_[i]);
    }
}

float x_of(const RaceTime& time, double iteration, float width) {
    return static_cast<float>((iteration - static_cast<double>(time.first)) /
                              static_cast<double>(time.count) * static_cast<double>(width));
}

double iteration_at(const RaceTime& time, float x, float width) {
    return static_cast<double>(time.first) +
           static_cast<double>(time.count) * static_cast<double>(x) / static_cast<double>(width);
}

}  // namespace kv
