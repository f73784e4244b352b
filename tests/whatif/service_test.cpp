#include "core/whatif/record/service.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/whatif/record/read.hpp"
#include "core/whatif/study/summary.hpp"
#include "tests/whatif/streams.hpp"

using namespace kv;

namespace {

Recording recorded(const ServiceRules& rules) {
    RecordingLines lines;
    record_service(rules, [&](const std::string& line) { lines.take(line); });
    return lines.finish();
}

}  // namespace

TEST_CASE("a service is recorded twice in the same lines", "[service]") {
    const auto text = [](u64 seed) {
        std::string all;
        record_service({.seed = seed, .seconds = 300},
                       [&](const std::string& line) { all += line + "\n"; });
        return all;
    };
    CHECK(text(3) == text(3));
    CHECK(text(3) != text(4));
}

TEST_CASE("an hour of a service, replayed at its own pool, is near what it counted",
          "[service][heavy]") {
    const Recording recording = recorded({});
    CHECK(recording.passed_over.empty());
    CHECK(recording.server.pool_blocks == 2500);
    CHECK_FALSE(recording.has_tokens());
    WhatIfStudy study(recording, {});
    const WhatIfSummary summary = *summarize(study, {});
    CHECK(summary.requests > 900);
    CHECK(summary.today.from == TodayFrom::ServerMetrics);
    const WhatIfCheck check = *check_of(summary);
    CHECK(check.with_counters);
    // Blocks in use and the ends of prompts are what the replay does not know.
    CHECK(std::abs(check.difference()) < 0.05);
    // By its events the server's pool found what our replay of it finds, to a point or two.
    const auto by_events =
        static_cast<double>(summary.by_events->hit) / static_cast<double>(summary.by_events->asked);
    CHECK(std::abs(summary.at_today->outcome.hit_rate() - by_events) < 0.02);
    // It is a service that more memory would help.
    CHECK(summary.twice->outcome.hit_rate() > summary.at_today->outcome.hit_rate() + 0.03);
    CHECK(summary.knee.pool > summary.today.blocks);
}

TEST_CASE("of a recorded service every pool is what one pass says", "[service][heavy]") {
    const Recording recording = recorded({.seconds = 600, .pool_blocks = 600, .with_tokens = true});
    CHECK(recording.has_tokens());
    const auto depths = stack_depths(recording);
    for (u64 pool = 20; pool < 2000; pool += 97) {
        CAPTURE(pool);
        const PoolOutcome passed = outcome_of(recording, *depths, pool);
        CHECK(passed == *replay(recording, {.pool_blocks = pool}));
        CHECK(passed == test::searched_pool(recording, static_cast<std::size_t>(pool)));
    }
}

TEST_CASE("a service that was never full finds what its events say, to the block", "[service]") {
    const Recording recording = recorded({.seconds = 900, .pool_blocks = 60'000});
    CHECK(recording.removed == 0);
    WhatIfStudy study(recording, {});
    const WhatIfSummary summary = *summarize(study, {});
    CHECK(summary.at_today->outcome.asked_tokens == summary.by_events->asked);
    CHECK(summary.at_today->outcome.hit_tokens == summary.by_events->hit);
}
