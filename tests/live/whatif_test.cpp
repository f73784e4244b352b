// A recording weighed for the window: what comes of a file, and what is refused.

#include "app/frame/whatif.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "app/live/whatif/desk.hpp"
#include "core/base/error.hpp"
#include "core/whatif/record/service.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using test::ScratchFolder;

namespace {

std::string recorded_service(const ScratchFolder& scratch) {
    const std::string path = scratch.file("service.jsonl");
    std::ofstream out(path);
    record_service({.seconds = 400, .pool_blocks = 400, .with_tokens = true},
                   [&](const std::string& line) { out << line << "\n"; });
    return path;
}

}  // namespace

TEST_CASE("a recording becomes curves, points and an answer", "[whatif]") {
    const ScratchFolder scratch;
    WhatIfAsk ask;
    ask.file = recorded_service(scratch);
    double told = 0;
    const auto [weighed, study] = weigh_recording(ask, [&](double done) {
        CHECK(done >= told);
        told = done;
        return true;
    });
    REQUIRE(weighed);
    CHECK(told > 0.95);  // the bar is nearly full when it goes
    CHECK(told <= 1);
    CHECK(weighed->summary.today.blocks == 400);
    CHECK(weighed->curves.size() == kWhatIfLines);
    for (const WhatIfCurve& curve : weighed->curves) {
        REQUIRE(curve.here.has_value());
        for (std::size_t i = 1; i < curve.points.size(); ++i) {
            CHECK(curve.points[i].bytes > curve.points[i - 1].bytes);
            CHECK(curve.points[i].outcome.hit_tokens >= curve.points[i - 1].outcome.hit_tokens);
        }
    }
    // A host tier and a smaller codec find at least what the pool alone finds.
    const u64 alone = weighed->base().outcome.hit_tokens;
    CHECK(weighed->curve(WhatIfLine::Host)->here->outcome.hit_tokens >= alone);
    CHECK(weighed->curve(WhatIfLine::Codec)->here->outcome.hit_tokens >= alone);
    for (const WhatIfRow& row : weighed->rows)
        CHECK((row.without_end || row.point.how != HowKnown::OnePass));
}

TEST_CASE("the desk weighs what commands ask for, and says what it cannot", "[whatif]") {
    const ScratchFolder scratch;
    WhatIfDesk desk({});
    WhatIfUi own;
    desk.finish(own);
    CHECK_FALSE(own.weighed);
    ask_whatif(own, {"whatif.file", recorded_service(scratch)});
    ask_whatif(own, {"whatif.today", u64{300}});
    desk.finish(own);
    REQUIRE(own.weighed);
    CHECK(own.weighed->base().pool == 300);
    const auto before = own.weighed;
    ask_whatif(own, {"whatif.card", std::string("b200")});
    desk.finish(own);
    CHECK(own.weighed != before);
    CHECK(own.weighed->base().first_token->p95 < before->base().first_token->p95);
    ask_whatif(own, {"whatif.file", std::string("/no/such/recording.jsonl")});
    desk.finish(own);
    CHECK_FALSE(own.refused.empty());
}

TEST_CASE("block sizes and orders are weighed once somebody looks at them", "[whatif]") {
    const ScratchFolder scratch;
    WhatIfDesk desk({});
    WhatIfUi own;
    ask_whatif(own, {"whatif.file", recorded_service(scratch)});
    desk.finish(own);
    for (const WhatIfSide& side : own.sides) CHECK_FALSE(side.choices);
    ask_whatif(own, {"whatif.view", std::string("order")});
    desk.finish(own);
    const auto orders = own.side().choices;
    REQUIRE(orders);
    CHECK(orders->size() == replay_orders().size());
    // lru is what the curve over pools says of the same memory.
    const PoolOutcome& lru = orders->front().here()->outcome;
    CHECK(lru.hit_tokens == own.weighed->base().outcome.hit_tokens);
    CHECK(lru.blocks_reclaimed == own.weighed->base().outcome.blocks_reclaimed);
    ask_whatif(own, {"whatif.view", std::string("block_size")});
    desk.finish(own);
    REQUIRE(own.side().choices);
    CHECK(own.side().choices->front().setting.block_size == 4);  // the tokens are there
    // A codec beside it changes none of them, another pool all of them.
    ask_whatif(own, {"whatif.codec", std::string("int4")});
    desk.finish(own);
    CHECK(own.sides[static_cast<std::size_t>(WhatIfView::Order)].choices == orders);
    ask_whatif(own, {"whatif.today", u64{300}});
    desk.finish(own);
    CHECK_FALSE(own.sides[static_cast<std::size_t>(WhatIfView::Order)].choices);
    CHECK(own.side().choices->at(2).here()->pool == 300);
}

TEST_CASE("a view that was stopped waits until it is asked for again", "[whatif]") {
    const ScratchFolder scratch;
    WhatIfDesk desk({});
    WhatIfUi own;
    ask_whatif(own, {"whatif.file", recorded_service(scratch)});
    desk.finish(own);
    ask_whatif(own, {"whatif.view", std::string("order")});
    desk.tick(own, 0);
    REQUIRE(own.is_weighing());
    ask_whatif(own, {"whatif.stop", {}});
    desk.tick(own, 0);
    CHECK_FALSE(own.is_weighing());
    CHECK(own.side().stopped);
    desk.tick(own, 0);
    CHECK_FALSE(desk.busy());
    CHECK(own.weighed);  // the curve stays
    ask_whatif(own, {"whatif.view", std::string("order")});
    desk.finish(own);
    CHECK(own.side().choices);
}

TEST_CASE("a frame never waits for what is being weighed", "[whatif]") {
    const ScratchFolder scratch;
    WhatIfDesk desk({});
    WhatIfUi own;
    ask_whatif(own, {"whatif.file", recorded_service(scratch)});
    ask_whatif(own, {"whatif.view", std::string("block_size")});
    int ticks = 0, in_view = 0;
    do {
        desk.tick(own, 0);
        ++ticks;
        in_view += own.weighed && !own.side().choices ? 1 : 0;
    } while (desk.busy() || !own.side().choices);
    CHECK(ticks > 100);
    CHECK(in_view > 0);  // the curve is there before the block sizes are
}

TEST_CASE("what cannot be weighed is refused, and nothing changes", "[whatif]") {
    WhatIfUi own;
    const WhatIfAsk before = own.ask;
    for (const Command& command : {Command{"whatif.codec", std::string("int9")},
                                   {"whatif.model", std::string("gpt-9")},
                                   {"whatif.card", std::string("m4-max")},
                                   {"whatif.share", u64{0}},
                                   {"whatif.view", std::string("codec")},
                                   {"whatif.today", u64{0}}})
        CHECK_THROWS_AS(ask_whatif(own, command), Error);
    CHECK(own.ask == before);
}
