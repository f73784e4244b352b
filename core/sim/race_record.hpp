#pragma once
// A race remembered: every span of it, so that any iteration can be looked at again, in any order.

#include <optional>
#include <span>
#include <vector>

#include "core/sim/race.hpp"

namespace kv {

// One iteration, after admission. Behind the last one nothing runs: what was leaked is still held.
struct RaceMoment {
    u64 running = 0, waiting = 0;
    PoolUse use;
    RaceCounters counters;
};

struct RaceRecord {
    RaceResult result;
    u64 pool = 0;                 // slots
    std::vector<RaceSpan> spans;  // one after the other, the first from iteration 0

    RaceMoment at(u64 iteration) const;
};

std::optional<RaceRecord> record_race(AllocatorKind kind, const Workload& workload,
                                      const RaceSettings& settings, const Progress& progress = {});

// Iterations in a row, and where the slots were in all of them: the five kinds of `sum` add up to
// the pool, `count` times.
struct RaceColumn {
    u64 first = 0, count = 0;
    PoolUse sum;
};
// `first` to `first + count` in n columns; where iterations are fewer than columns, each one fills
// several.
void fill_columns(const RaceRecord& record, u64 first, u64 count, std::span<RaceColumn> columns);

}  // namespace kv
