#pragma once
// The answer in few numbers: today's pool, twice of it, the knee, and a pool without end; and
// whether the replay of today's pool says what the server itself counted.

#include "core/whatif/study/study.hpp"

namespace kv {

struct WhatIfSummary {
    TodaysPool today;
    std::optional<WhatIfPoint> at_today, twice;  // none while nobody knows today's pool
    WhatIfPoint knee, without_end;
    u64 distinct = 0;  // blocks that a pool without end would hold

    u64 requests = 0;
    double seconds = 0;
    // What the events themselves say of the prompts, block by block; none of a public trace.
    struct Tokens {
        u64 asked = 0, hit = 0;
        friend bool operator==(const Tokens&, const Tokens&) = default;
    };
    std::optional<Tokens> by_events, by_server;

    // Tokens of prefill that twice the pool spares, in all of the recording.
    u64 spared() const;
};

// The first check: how far the hit rate of today's pool, replayed, is from the server's own
// counters, or where there are none from what its events say. In hits per asked token; nothing
// where there is nothing to compare.
struct WhatIfCheck {
    bool with_counters = false;
    WhatIfSummary::Tokens theirs, ours;
    double difference() const;
    bool equal() const { return theirs == ours; }
};
std::optional<WhatIfCheck> check_of(const WhatIfSummary& summary);

// `today` wins over what the recording says. Nothing when `progress` stopped it.
std::optional<WhatIfSummary> summarize(WhatIfStudy& study, std::optional<u64> today,
                                       const WhatIfProgress& progress = {});

// Where a curve over pools has its points: so many to each doubling, from half of today's pool (or
// a sixty-fourth of all there is) to where nothing is removed any more. Rising, without doubles.
std::vector<u64> curve_pools(u64 today, u64 distinct, u64 to_each_doubling);

}  // namespace kv
