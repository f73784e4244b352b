// What shows both sides of a comparison on one axis: the rows of both logs, and both pools.
#include <catch2/catch_test_macros.hpp>

#include "app/panels/compare_runs/log_rows.hpp"
#include "app/panels/compare_runs/memory_plan.hpp"
#include "app/panels/compare_runs/pools_plan.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Steps in each of which a request is given that many blocks.
struct Stepped {
    ToldRun run{16, 4};
    RunHistory history;
    Stepped(std::uint64_t id, const std::vector<std::uint32_t>& steps) {
        run.iteration = 0;
        const SeqId request = run.add(64, 0, {});
        run.tell(RequestAdmitted{0, 0}, request);
        std::uint32_t block = 0;
        for (const std::uint32_t n : steps) {
            ++run.iteration;
            for (std::uint32_t i = 0; i < n; ++i, ++block)
                run.tell(BlockAllocated{LaneId(0), BlockId(block), block}, request);
        }
        history.catch_up(id, run.trace);
    }
};

}  // namespace

TEST_CASE("both charts of Memory are shown wherever there is room for both", "[pair]") {
    const auto wide = place_pair_charts({740, 90}, 2);
    REQUIRE(wide.size() == 2);
    CHECK(wide[1].x == wide[0].right() + 40);
    CHECK(wide[1].right() == 740);
    const auto high = place_pair_charts({620, 192}, 2);  // the place of Memory in 1600 x 900
    REQUIRE(high.size() == 2);
    CHECK(high[0].bottom() + 12 == high[1].y);
    CHECK(high[1].bottom() == 192);
    CHECK(high[0].w == 620);
    const auto small = place_pair_charts({400, 90}, 2);
    REQUIRE(small.size() == 1);
    CHECK(small[0].h == 90);
}

TEST_CASE("two pools stand on one axis of bytes", "[pair]") {
    const PoolsPlan same = plan_pools({960, 100}, 1, {PoolAsk{48, 8192}, PoolAsk{48, 8192}});
    CHECK(same.rows[0].block(7).x == 140);  // 960 / 48 = 20 a block
    CHECK(same.rows[1].block(7).x == 140);
    CHECK(same.rows[0].cells.bottom() <= same.rows[1].head.y);
    CHECK(same.height <= 100);
    // Blocks of a quarter of the bytes are a quarter as wide, and so is their pool.
    const PoolsPlan small = plan_pools({960, 100}, 1, {PoolAsk{48, 8192}, PoolAsk{48, 2048}});
    CHECK(small.rows[0].cells.w == 960);
    CHECK(small.rows[1].cells.w == 240);
    CHECK(small.rows[1].block(7).x == 35);
    CHECK(small.rows[1].at(small.rows[1].block(7).center()) == 7);
    CHECK_FALSE(small.rows[1].at({300, small.rows[1].cells.y + 2}));
    // A million blocks: a column for many.
    const PoolsPlan many = plan_pools({960, 100}, 1, {PoolAsk{960'000, 16}, PoolAsk{48, 16}});
    const PoolRow::Range column = many.rows[0].blocks_at(10);
    CHECK(column.first == 10'000);
    CHECK(column.end == 11'000);
}

TEST_CASE("the events of one step stand in the same rows on both sides", "[pair]") {
    const Stepped left(1, {1, 2, 0}), right(2, {1, 1, 1});
    const std::uint64_t ours = left.run.trace.size(), theirs = right.run.trace.size();
    PairLog log;
    log.follow(left.history, ours, right.history, theirs);
    const auto shown = [&](std::uint32_t iteration) {
        std::vector<LogRow> rows;
        for (const LogRow& row : log.rows())
            if (row.iteration == iteration) rows.push_back(row);
        return rows;
    };
    // The newest first: step 3 only on the right, step 2 with two on the left.
    REQUIRE_FALSE(log.rows().empty());
    CHECK(log.rows().front().iteration == 3);
    REQUIRE(shown(3).size() == 1);
    CHECK_FALSE(shown(3)[0].left);
    CHECK(shown(3)[0].right);
    REQUIRE(shown(2).size() == 2);
    CHECK(shown(2)[0].begins_step);
    CHECK(shown(2)[0].left);
    CHECK(shown(2)[0].right);
    CHECK(shown(2)[1].left);
    CHECK_FALSE(shown(2)[1].right);
    CHECK_FALSE(shown(2)[1].begins_step);
    // Before the third step the log does not know it.
    log.follow(left.history, ours, right.history, theirs - 1);
    CHECK(log.rows().front().iteration == 2);
}
