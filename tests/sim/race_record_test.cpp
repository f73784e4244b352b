// A race that is remembered says of every iteration what the race itself said.
#include "core/sim/race_record.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/sim/generator.hpp"
#include "tests/sim/random_race.hpp"

using namespace kv;

namespace {

PoolUse plus(PoolUse a, const PoolUse& b) {
    a.tokens += b.tokens, a.reserved += b.reserved, a.internal += b.internal;
    a.external += b.external, a.free += b.free;
    return a;
}
bool same(const PoolUse& a, const PoolUse& b) {
    return a.tokens == b.tokens && a.reserved == b.reserved && a.internal == b.internal &&
           a.external == b.external && a.free == b.free;
}

}  // namespace

// One request of 3 + 2 tokens in blocks of 4: two iterations, 3 and 4 tokens of 4 held slots; the
// second token finds its block full only after it is made.
TEST_CASE("a remembered race is read back iteration by iteration", "[record]") {
    RaceSettings settings;
    settings.pool.slots = 8, settings.pool.block_size = 4;
    const Workload workload{{0, 3, 2}};
    const RaceRecord record = *record_race(AllocatorKind::Paged, workload, settings);
    CHECK(record.pool == 8);
    CHECK(record.result.iterations == 2);
    CHECK(same(record.at(0).use, {3, 0, 1, 0, 4}));
    CHECK(same(record.at(1).use, {4, 0, 0, 0, 4}));
    CHECK(record.at(0).running == 1);
    CHECK(record.at(1).counters.finished == 0);
    // Behind the end nothing runs, and all of the pool is free.
    CHECK(record.at(2).running == 0);
    CHECK(record.at(2).counters.finished == 1);
    CHECK(same(record.at(1'000'000).use, {0, 0, 0, 0, 8}));
}

TEST_CASE("columns hold what their iterations hold, and five kinds make the pool", "[record]") {
    const Workload workload = generate(*find_workload_model("sharegpt-like"), 60, 1);
    for (const AllocatorKind kind : all_allocators()) {
        RaceSettings settings;
        const RaceRecord record = *record_race(kind, workload, settings);
        const u64 n = record.result.iterations;
        // More columns than iterations, as many, fewer; from the start, from inside, past the end.
        for (const auto [first, count, columns] :
             {std::array<u64, 3>{0, n, 37}, {0, 10, 25}, {7, 100, 100}, {n - 5, 400, 13}}) {
            CAPTURE(name_of(kind), first, count, columns);
            std::vector<RaceColumn> filled(columns);
            fill_columns(record, first, count, filled);
            u64 at = first;
            for (const RaceColumn& column : filled) {
                CHECK(column.count >= 1);
                if (count >= columns) CHECK(column.first == at);
                at = column.first + column.count;
                PoolUse sum;
                for (u64 i = 0; i < column.count; ++i)
                    sum = plus(sum, record.at(column.first + i).use);
                CHECK(same(column.sum, sum));
                CHECK(column.sum.sum() == record.pool * column.count);
            }
            CHECK(at == first + count);
        }
    }
}

// The same numbers as the table of kvarium sim: over the iterations in which somebody waited.
TEST_CASE("the means of a race are those of its iterations", "[record]") {
    const Workload workload = generate(*find_workload_model("sharegpt-like"), 200, 0);
    for (const AllocatorKind kind : all_allocators()) {
        CAPTURE(name_of(kind));
        const RaceRecord record = *record_race(kind, workload, {});
        PoolUse sum;
        u64 n = 0, running = 0;
        for (u64 i = 0; i < record.result.iterations; ++i) {
            const RaceMoment now = record.at(i);
            if (now.waiting == 0) continue;
            sum = plus(sum, now.use), running += now.running, ++n;
        }
        CHECK(n == record.result.saturated_iterations);
        const auto share = [&](u64 slots) {
            return static_cast<double>(slots) / static_cast<double>(n * record.pool);
        };
        CHECK(std::abs(share(sum.tokens) - *record.result.tokens_share) < 1e-12);
        CHECK(std::abs(share(sum.internal) - *record.result.internal_share) < 1e-12);
        CHECK(std::abs(share(sum.external) - *record.result.external_share) < 1e-12);
        CHECK(std::abs(static_cast<double>(running) / static_cast<double>(n) -
                       *record.result.mean_batch) < 1e-9);
    }
}

TEST_CASE("what was leaked is held behind the end, and what waits says that gaps fit nobody",
          "[record]") {
    RaceSettings settings;
    settings.faults.leak = 0.05;
    const Workload workload = generate(*find_workload_model("sharegpt-like"), 2000, 0);
    for (const AllocatorKind kind : {AllocatorKind::Max, AllocatorKind::Paged}) {
        CAPTURE(name_of(kind));
        const RaceRecord record = *record_race(kind, workload, settings);
        REQUIRE(record.result.left_waiting > 0);
        const RaceMoment end = record.at(record.result.iterations);
        CHECK(end.use.internal == record.result.counters.leaked_slots);
        CHECK(end.use.internal > 0);
        CHECK((end.use.external > 0) == (kind == AllocatorKind::Max));
        CHECK(end.waiting == record.result.left_waiting);
        CHECK(end.use.sum() == record.pool);
    }
}
