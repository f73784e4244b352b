// What goes wrong on purpose.
#include <catch2/catch_test_macros.hpp>

#include "core/sim/generator.hpp"
#include "core/sim/race.hpp"

using namespace kv;

namespace {

Workload conversations(u64 requests) {
    return generate(*find_workload_model("sharegpt-like"), requests, 0);
}

}  // namespace

TEST_CASE("a leak eats the pool until nothing can be admitted", "[faults]") {
    RaceSettings settings;
    settings.faults.leak = 0.02;
    const Workload workload = conversations(5000);
    for (const AllocatorKind kind : all_allocators()) {
        CAPTURE(name_of(kind));
        u64 last_held = 0;
        const RaceResult result = *race(kind, workload, settings, [&](const RaceSpan& span) {
            last_held = span.use.held();
            CHECK(span.use.internal >= span.counters.leaked_slots);
        });
        CHECK(result.left_waiting > 0);
        CHECK(result.counters.leaked_slots > 0);
        CHECK(result.counters.finished + result.counters.abandoned + result.left_waiting == 5000);
        CHECK(last_held >= result.counters.leaked_slots - 2048);
    }
}

TEST_CASE("the same requests leak whatever the allocator", "[faults]") {
    RaceSettings settings;
    settings.faults.leak = 0.5;
    u64 leaking = 0;
    for (u64 i = 0; i < 10'000; ++i) leaking += leaks(settings, i) ? 1 : 0;
    CHECK(leaking > 4800);
    CHECK(leaking < 5200);
    settings.faults.leak = 0;
    CHECK_FALSE(leaks(settings, 0));
}

TEST_CASE("oversized blocks bring back the waste that paging took away", "[faults]") {
    RaceSettings settings;
    const Workload workload = conversations(2000);
    const RaceResult small = *race(AllocatorKind::Paged, workload, settings);
    settings.pool.block_size = 512;
    const RaceResult large = *race(AllocatorKind::Paged, workload, settings);
    CHECK(*small.utilisation > 0.97);
    CHECK(*large.utilisation < 0.70);
    CHECK(*large.mean_batch < *small.mean_batch);
}

// 40 blocks of 16. The first request wants 700 tokens and can never finish.
TEST_CASE("without admission control what cannot finish runs, preempts and is given up",
          "[faults]") {
    Workload workload{{0, 100, 600}};
    for (u64 i = 0; i < 20; ++i) workload.push_back({0, 40, 40});
    RaceSettings settings;
    settings.pool.slots = 640;
    const RaceResult controlled = *race(AllocatorKind::Paged, workload, settings);
    CHECK(controlled.counters.refused == 1);
    CHECK(controlled.counters.abandoned == 0);
    settings.pool.admission_control = false;
    const RaceResult open = *race(AllocatorKind::Paged, workload, settings);
    CHECK(open.counters.refused == 0);
    CHECK(open.counters.abandoned == 1);
    CHECK(open.counters.finished == 20);
    CHECK(open.counters.preemptions > controlled.counters.preemptions);
    CHECK(open.counters.recomputed_tokens > controlled.counters.recomputed_tokens);
    CHECK(open.iterations > controlled.iterations);
}

TEST_CASE("without admission control a prompt that never fits blocks everybody behind it",
          "[faults]") {
    RaceSettings settings;
    settings.pool.slots = 640;
    settings.pool.admission_control = false;
    for (const AllocatorKind kind : all_allocators()) {
        const RaceResult result = *race(kind, {{0, 8, 8}, {0, 641, 1}, {0, 8, 8}}, settings);
        CHECK(result.counters.finished == 1);
        CHECK(result.left_waiting == 2);
    }
}
