// The race against an independent one that plays every iteration.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "tests/sim/naive_race.hpp"
#include "tests/sim/random_race.hpp"

using namespace kv;
using Catch::Matchers::WithinAbs;

namespace {

void check_share(const std::optional<double>& share, u64 sum, const test::NaiveSums& naive,
                 u64 slots) {
    REQUIRE(share.has_value());
    const double expected = static_cast<double>(sum) / static_cast<double>(naive.saturated) /
                            static_cast<double>(slots);
    CHECK_THAT(*share, WithinAbs(expected, 1e-12));
}

void check_alike(AllocatorKind kind, const test::RandomRace& scene) {
    const u64 slots = scene.settings.pool.slots;
    const RaceResult ours = *race(kind, scene.workload, scene.settings);
    const test::NaiveSums naive = test::NaiveRace(kind, scene.workload, scene.settings).run();
    CAPTURE(name_of(kind), slots, scene.settings.pool.block_size, scene.settings.seed);
    CHECK(ours.iterations == naive.iterations);
    CHECK(ours.saturated_iterations == naive.saturated);
    CHECK(ours.peak_batch == naive.peak_batch);
    CHECK(ours.peak_slots == naive.peak_slots);
    CHECK(ours.copies == naive.copies);
    CHECK(ours.slots_copied == naive.slots_copied);
    CHECK(ours.left_waiting == naive.left_waiting);
    CHECK(ours.counters.admitted == naive.admitted);
    CHECK(ours.counters.refused == naive.refused);
    CHECK(ours.counters.finished == naive.finished);
    CHECK(ours.counters.preemptions == naive.preemptions);
    CHECK(ours.counters.recomputed_tokens == naive.recomputed);
    CHECK(ours.counters.generation_tokens == naive.generated);
    CHECK(ours.counters.abandoned == naive.abandoned);
    CHECK(ours.counters.leaked_slots == naive.leaked_slots);
    if (naive.saturated == 0) {
        CHECK_FALSE(ours.mean_batch.has_value());
        return;
    }
    CHECK_THAT(
        *ours.mean_batch,
        WithinAbs(static_cast<double>(naive.batch) / static_cast<double>(naive.saturated), 1e-9));
    check_share(ours.tokens_share, naive.tokens, naive, slots);
    check_share(ours.reserved_share, naive.reserved, naive, slots);
    check_share(ours.internal_share, naive.internal, naive, slots);
    check_share(ours.external_share, naive.external, naive, slots);
    check_share(ours.free_share, naive.free, naive, slots);
}

}  // namespace

TEST_CASE("every allocator runs the same race as one that plays each iteration", "[race][heavy]") {
    for (u64 number = 0; number < 400; ++number)
        for (const AllocatorKind kind : all_allocators())
            check_alike(kind, test::random_race(number, 1));
}

TEST_CASE("with leaks, without admission control and with both it is still the same race",
          "[race][faults][heavy]") {
    for (u64 number = 0; number < 300; ++number) {
        test::RandomRace scene = test::random_race(number, 1);
        scene.settings.faults.leak = number % 3 == 0 ? 0 : 0.2;
        scene.settings.pool.admission_control = number % 3 == 1;
        for (const AllocatorKind kind : all_allocators()) check_alike(kind, scene);
    }
}

// Pool of 8, four blocks of 2, one of them held back; A: 2 + 3 tokens, B: 2 + 2, C: 2 + 1.
TEST_CASE("a race by hand", "[race]") {
    const Workload workload{{0, 2, 3}, {0, 2, 2}, {0, 2, 1}};
    RaceSettings settings;
    settings.pool.slots = 8;
    settings.pool.block_size = 2;
    std::vector<std::vector<u64>> seen;  // first, running, waiting, tokens, internal, free
    const auto result = race(AllocatorKind::Paged, workload, settings, [&](const RaceSpan& span) {
        for (u64 i = 0; i < span.count; ++i) {
            const PoolUse use = span.use_at(i);
            seen.push_back(
                {span.first + i, span.running, span.waiting, use.tokens, use.internal, use.free});
        }
    });
    // 0: A, B and C take a block each, one stays free. A grows into it; B finds none and preempts
    //    C, the newest, which gives it a block. A has 3 tokens now, B too.
    // 1: C needs a block and none is free. A makes its 4th token, B its 4th and last.
    // 2: C returns and A takes the last block for its 5th and last token. C is full, finds nobody
    //    newer and preempts itself.
    // 3: C returns alone and makes its token.
    CHECK(seen ==
          std::vector<std::vector<u64>>{
              {0, 3, 0, 6, 0, 2}, {1, 2, 1, 6, 2, 0}, {2, 2, 0, 6, 0, 2}, {3, 1, 0, 2, 0, 6}});
    CHECK(result->counters.preemptions == 2);
    CHECK(result->counters.recomputed_tokens == 4);
    CHECK(result->counters.finished == 3);
}

TEST_CASE("the pool's parts add up to the pool in every iteration", "[race]") {
    for (u64 number = 0; number < 100; ++number) {
        const test::RandomRace scene = test::random_race(number, 1);
        for (const AllocatorKind kind : all_allocators()) {
            u64 next = 0;
            const auto result =
                race(kind, scene.workload, scene.settings, [&](const RaceSpan& span) {
                    CHECK(span.first == next);
                    next += span.count;
                    const PoolUse last = span.use_at(span.count - 1);
                    CHECK(span.use.sum() == scene.settings.pool.slots);
                    CHECK(last.sum() == scene.settings.pool.slots);
                    CHECK(last.tokens == span.use.tokens + (span.count - 1) * span.running);
                    CHECK(last.tokens <= last.held());
                });
            CHECK(result->iterations == next);
        }
    }
}

TEST_CASE("no request at all, and one that is refused", "[race]") {
    RaceSettings settings;
    settings.pool.slots = 64;
    for (const AllocatorKind kind : all_allocators()) {
        const RaceResult nothing = *race(kind, {}, settings);
        CHECK(nothing.iterations == 0);
        CHECK_FALSE(nothing.utilisation.has_value());
        // 65 tokens in 64 slots do not stop the one behind them.
        const RaceResult two = *race(kind, {{0, 60, 5}, {0, 8, 2}}, settings);
        CHECK(two.counters.refused == 1);
        CHECK(two.counters.admitted == 1);
        CHECK(two.counters.finished == 1);
        CHECK(two.iterations == 2);
    }
}

TEST_CASE("a race can be stopped", "[race]") {
    const Workload workload(1000, {0, 10, 10});
    CHECK_FALSE(race(AllocatorKind::Paged, workload, {}, {}, [](double) { return false; }));
}
