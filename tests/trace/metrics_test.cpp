// The time series, against numbers by hand and against a recount of every block.
#include "core/trace/metrics.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/trace/event/event.hpp"
#include "tests/trace/story.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Two requests on four blocks of two slots.
class ByHand {
public:
    ByHand() { tell(PoolMade{.n_blocks = 4, .block_size = 2}); }
    void tell(EventBody what, std::optional<std::uint32_t> request = {}, Why why = Why::ByCommand) {
        Event event{iteration, {}, {why, {}, 0, 0}, std::move(what)};
        if (request) event.request = SeqId(*request);
        trace.append(event);
    }
    void start() {
        ++iteration;
        tell(IterationStarted{});
    }
    void finish(std::uint32_t tokens, double us) {
        tell(IterationFinished{.tokens = tokens, .model_us = 1, .us = us});
    }
    std::uint32_t iteration = 0;
    Trace trace;
};

std::optional<double> value(const Sample& sample, std::string_view label) {
    for (const Metric& metric : metrics())
        if (metric.label == label) return metric.get(sample);
    throw std::runtime_error("no such series: " + std::string(label));
}

ByHand two_requests() {
    ByHand run;
    run.tell(RequestArrived{.name = "A", .prompt = {1, 2, 3}, .max_new = 2}, 0);
    run.start();  // 1: A's prompt is computed
    run.tell(RequestAdmitted{3, 0}, 0);
    run.tell(BlockAllocated{LaneId(0), BlockId(0), 0}, 0);
    run.tell(BlockAllocated{LaneId(0), BlockId(1), 1}, 0);
    run.tell(BlockStored{{5}, {}, {1, 2}, 2, Medium::Device, {0}}, 0);
    run.tell(
        Operation{
            .op = Op::Append, .layer = LayerId(0), .bytes_read = 1, .bytes_written = 96, .us = 2},
        {});
    run.tell(Operation{.op = Op::Attend,
                       .layer = LayerId(0),
                       .flops = 9,
                       .bytes_read = 640,
                       .bytes_written = 8,
                       .us = 2},
             {});
    run.tell(TokensStored{0, 3}, 0);
    run.tell(TokenAdded{7}, 0, Why::MostProbable);
    run.tell(RequestArrived{.name = "B", .prompt = {1, 2, 9}, .max_new = 1}, 1);
    run.finish(3, 100);
    run.start();  // 2: A ends, B waits
    run.tell(TokensStored{3, 1}, 0);
    run.tell(TokenAdded{8}, 0, Why::MostProbable);
    run.tell(RequestFinished{Finish::Length}, 0);
    run.tell(BlockFreed{LaneId(0), BlockId(1), 1, false}, 0);
    run.tell(BlockFreed{LaneId(0), BlockId(0), 0, false}, 0);
    run.finish(1, 50);
    run.start();  // 3: nothing
    run.finish(0, 10);
    run.start();  // 4: B finds A's first block
    run.tell(RequestAdmitted{3, 2}, 1);
    run.tell(BlockShared{LaneId(0), BlockId(0), 0}, 1, Why::SamePrefix);
    run.tell(BlockAllocated{LaneId(0), BlockId(2), 1}, 1);
    run.tell(TokensStored{2, 1}, 1);
    run.tell(TokenAdded{6}, 1, Why::MostProbable);
    run.tell(RequestFinished{Finish::Length}, 1);
    run.finish(1, 40);
    run.start();  // 5: B gives its blocks back
    run.tell(BlockFreed{LaneId(0), BlockId(2), 1, false}, 1);
    run.tell(BlockFreed{LaneId(0), BlockId(0), 0, false}, 1);
    run.finish(0, 0);
    run.start();  // 6: and the cached one is given up
    run.tell(BlockRemoved{{5}, Medium::Device, {0}}, {}, Why::ReclaimedFor);
    run.finish(0, 0);
    return run;
}

}  // namespace

TEST_CASE("the series of a small run are the numbers that one counts by hand", "[trace]") {
    const ByHand run = two_requests();
    MetricSeries series;
    series.catch_up(run.trace);
    const auto& s = series.samples();
    REQUIRE(s.size() == 6);

    CHECK(value(s[0], "cache_usage") == 0.5);
    CHECK(value(s[0], "live_tokens") == 3);
    CHECK(value(s[0], "tokens_per_allocated") == 0.75);
    CHECK(value(s[0], "tokens_per_pool") == 3.0 / 8);
    CHECK(value(s[0], "prefix_queries") == 3);
    CHECK(value(s[0], "hit_rate") == 0);
    CHECK((value(s[0], "running") == 1 && value(s[0], "waiting") == 1));
    CHECK(value(s[0], "prompt_tokens") == 6);
    CHECK(value(s[0], "iteration_tokens") == 3);
    CHECK((value(s[0], "kv_bytes_read") == 640 && value(s[0], "kv_bytes_written") == 96));
    CHECK((value(s[0], "bytes_read") == 641 && value(s[0], "bytes_written") == 104));
    CHECK(value(s[0], "first_token_s") == 100e-6);
    CHECK_FALSE(value(s[0], "next_token_s"));

    CHECK((value(s[1], "used_blocks") == 0 && value(s[1], "cached_blocks") == 1));
    CHECK(value(s[1], "live_tokens") == 0);
    CHECK_FALSE(value(s[1], "tokens_per_allocated"));
    CHECK(value(s[1], "next_token_s") == 50e-6);
    CHECK(value(s[1], "clock_us") == 150);

    CHECK(value(s[3], "prefix_hits") == 2);
    CHECK(value(s[3], "hit_rate") == 2.0 / 6);
    CHECK(value(s[3], "reuse_gap") == 2);           // given back in 2, held again in 4
    CHECK(value(s[3], "reuse_gap_s") == 60e-6);     // the clock stood at 100, then at 160
    CHECK(value(s[3], "first_token_s") == 200e-6);  // arrived while the clock stood at 0
    CHECK(value(s[3], "generation_tokens") == 3);

    CHECK(value(s[5], "reclaimed") == 1);
    CHECK(value(s[5], "block_lifetime") == 5);  // from 1 to 6
    CHECK(value(s[5], "block_idle") == 1);      // from 5 to 6
    CHECK(value(s[5], "block_lifetime_s") == 200e-6);
    CHECK(value(s[5], "block_idle_s") == 0);
    CHECK_FALSE(value(s[4], "block_lifetime"));

    CHECK(series.first_token_us(SeqId(0)) == 100);
    CHECK(series.next_token_us(SeqId(0)) == 50);
    CHECK_FALSE(series.next_token_us(SeqId(1)));
    CHECK_FALSE(series.first_token_us(SeqId(2)));
}

TEST_CASE("the hit rate looks back over its window only", "[trace]") {
    const ByHand run = two_requests();
    MetricSeries series(2);
    series.catch_up(run.trace);
    CHECK_FALSE(value(series.samples()[2], "hit_rate"));       // nothing was looked up in 2 and 3
    CHECK(value(series.samples()[3], "hit_rate") == 2.0 / 3);  // 3 and 4
}

TEST_CASE("a series that is continued equals one that is made at once", "[trace]") {
    Trace trace;
    Story story(trace, 40);
    MetricSeries grown, fed;
    for (int part = 0; part < 30; ++part) {
        story.iterations(7);
        grown.catch_up(trace);
        CHECK(grown.moment() == trace.size());
    }
    trace.each(0, trace.size(), [&](std::uint64_t, const Event& event) { fed.feed(event); });
    CHECK(grown.samples() == fed.samples());
    REQUIRE(grown.samples().size() == 210);
}

TEST_CASE("gauges agree with a recount of every block at every sample", "[trace]") {
    for (const Story::Shape shape : {Story::Shape{24, 4, 1, 4}, Story::Shape{9, 3, 2, 0}}) {
        Trace trace;
        Story story(trace, 41, shape);
        story.iterations(120);
        MetricSeries series;
        series.catch_up(trace);
        for (const Sample& sample : series.samples()) {
            const Snapshot state = trace.at(sample.moment);
            std::uint64_t used = 0, cached = 0, live = 0;
            for (const LaneView& lane : state.lanes)
                for (std::size_t b = 0; b < lane.blocks.size(); ++b) {
                    const BlockView& block = lane.blocks[b];
                    used += block.state() == BlockState::Used;
                    cached += block.state() == BlockState::Cached;
                    live += block.state() == BlockState::Used ? block.filled : 0;
                }
            REQUIRE(sample.used_blocks == used);
            REQUIRE(sample.cached_blocks == cached);
            REQUIRE(sample.live_tokens == live);
            REQUIRE(sample.totals == state.counters);
            REQUIRE(value(sample, "prefix_hits") <= value(sample, "prefix_queries"));
        }
    }
}

TEST_CASE("a table of the series can be saved, with times or without", "[trace]") {
    const ByHand run = two_requests();
    MetricSeries series;
    series.catch_up(run.trace);
    const std::string with = metrics_csv(series.samples());
    const std::string without = metrics_csv(series.samples(), false);
    CHECK(std::count(with.begin(), with.end(), '\n') == 7);
    CHECK(without.rfind("iteration,moment,cache_usage,used_blocks,", 0) == 0);
    INFO(without);
    CHECK(without.find("\n1,13,0.5,2,0,3,0,0,0,0,0,1,1,6,1,3,3,0.75,0.375,,,,0,0,0,0,0,640,96,641,"
                       "104,1,0,0,0,,,0\n") != std::string::npos);
    CHECK(with.find("first_token_s") != std::string::npos);
    CHECK(without.find("first_token_s") == std::string::npos);
    for (const Metric& metric : metrics()) {
        CHECK_FALSE(metric.formula.empty());
        CHECK_FALSE(metric.unit.empty());
        CHECK(std::count_if(metrics().begin(), metrics().end(),
                            [&](const Metric& m) { return m.label == metric.label; }) == 1);
    }
}
