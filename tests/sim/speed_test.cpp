// The race jumps from event to event, so that large pools and long workloads stay affordable.
#include <catch2/catch_test_macros.hpp>

#include "core/sim/generator.hpp"
#include "core/sim/race.hpp"

using namespace kv;

TEST_CASE("a million blocks, forty thousand requests at once", "[race][speed][heavy]") {
    RaceSettings settings;
    settings.pool.slots = 16'000'000;
    const Workload workload = generate(*find_workload_model("sharegpt-like"), 60'000, 0);
    for (const AllocatorKind kind : {AllocatorKind::Max, AllocatorKind::Oracle,
                                     AllocatorKind::FirstFit, AllocatorKind::Paged}) {
        const RaceResult result = *race(kind, workload, settings);
        CAPTURE(name_of(kind));
        CHECK(result.counters.finished == 60'000);
        CHECK(result.left_waiting == 0);
        if (kind == AllocatorKind::Max) CHECK(result.peak_batch == 16'000'000 / 2048);
        if (kind == AllocatorKind::Paged) CHECK(result.peak_batch > 40'000);
    }
}
