// The race's pure halves: strips against the simulator's numbers, the playhead, places of parts.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/live/race/hold.hpp"
#include "app/panels/race/plan.hpp"
#include "app/panels/race/words.hpp"

using namespace kv;

namespace {

std::shared_ptr<const RacedWorkload> held(RaceAsk ask = {}) {
    return hold_race(ask, [](double) { return true; });
}

RaceWidths usual_widths() {
    return {.title = 480,
            .subtitle = 790,
            .note = 430,
            .choices = 880,
            .transport = 720,
            .sentence = 560,
            .legend = 900,
            .measured = 260};
}

}  // namespace

TEST_CASE("the strip's heights add up to it, and its runs to its width", "[race]") {
    const auto race = held();
    RaceStrips strips;
    const RaceTime time = first_look(*race);
    CHECK(time == RaceTime{0, 4000});
    strips.follow(race, time, {1080, 104});
    for (std::size_t i = 0; i < race->lanes.size(); ++i) {
        int x = 0;
        for (const StripRun& run : strips.of(i)) {
            CHECK(run.x == x);
            x += run.w;
            CHECK(run.live + run.reserved + run.internal + run.external + run.free == 104);
        }
        CHECK(x == 1080);
    }
}

// Of one iteration each column is that iteration, so its heights follow from the counts alone.
TEST_CASE("a strip of single iterations shows their counts", "[race]") {
    const auto race = held();
    RaceStrips strips;
    strips.follow(race, {1990, 20}, {20, 1000});
    for (std::size_t i = 0; i < race->lanes.size(); ++i)
        for (const StripRun& run : strips.of(i))
            for (int x = run.x; x < run.x + run.w; ++x) {
                const PoolUse use = race->lanes[i].at(1990 + static_cast<u64>(x)).use;
                const auto pixels = [](u64 slots) {
                    return static_cast<int>(
                        std::lround(1000 * static_cast<double>(slots) / 15'728.0));
                };
                CHECK(run.live == pixels(use.tokens));
                CHECK(run.live + run.reserved == pixels(use.tokens + use.reserved));
            }
}

TEST_CASE("the race of the window is the one that kvarium sim prints", "[race]") {
    const auto race = held();
    REQUIRE(race->lanes.size() == 6);
    CHECK(race->requests == 400);
    CHECK(race->is_published());
    const RaceResult& max = race->lanes[0].result;
    const RaceResult& paged = race->lanes[5].result;
    // kvarium sim --requests 400
    CHECK(max.iterations == 18'588);
    CHECK(std::lround(*max.mean_batch * 100) == 700);
    CHECK(std::lround(*max.tokens_share * 1000) == 181);
    CHECK(std::lround(*max.internal_share * 1000) == 590);
    CHECK(paged.iterations == 3'874);
    CHECK(std::lround(*paged.mean_batch * 100) == 3831);
    CHECK(std::lround(*paged.tokens_share * 1000) == 970);
    CHECK(race->lanes[0].at(2000).running == 7);
    CHECK(race->lanes[0].at(2000).counters.finished == 40);
    CHECK(race->lanes[5].at(2000).running == 51);
    CHECK(race->lanes[5].at(2000).waiting == 101);
}

TEST_CASE("what is shown first is round and long enough for the first to be done", "[race]") {
    RacedWorkload race;
    const auto look = [&](std::initializer_list<u64> ends) {
        race.lanes.clear();
        for (const u64 end : ends) race.lanes.emplace_back().result.iterations = end;
        return first_look(race).count;
    };
    CHECK(look({18'588, 3'874}) == 4'000);
    CHECK(look({5'000}) == 5'000);
    CHECK(look({5'001}) == 6'000);
    CHECK(look({3}) == 10);
    CHECK(look({0, 40}) == 40);  // one that refused everything does not count
    CHECK(look({}) == 10);
}

TEST_CASE("zoom keeps the iteration under the mouse in its place", "[race]") {
    const RaceTime half = zoomed({0, 4000}, 2, 1000, 18'588);
    CHECK(half == RaceTime{500, 2000});  // 1,000 stands at a quarter in both
    CHECK(zoomed(half, 0.5, 1000, 18'588) == RaceTime{0, 4000});
    CHECK(zoomed({0, 4000}, 1e9, 0, 18'588).count == 10);
    CHECK(zoomed({3000, 1000}, 1e-9, 3500, 18'588) == RaceTime{0, 18'588});
    // At the end nothing behind the last iteration is shown.
    const RaceTime last = zoomed({18'000, 588}, 0.5, 18'588, 18'588);
    CHECK(last.end() == 18'588);
}

TEST_CASE("the playhead takes what is shown along", "[race]") {
    CHECK(following({0, 4000}, 4000, 18'588) == RaceTime{0, 4000});
    CHECK(following({0, 4000}, 4001, 18'588) == RaceTime{0, 8000});
    CHECK(following({0, 4000}, 18'588, 18'588) == RaceTime{0, 18'588});
    CHECK(following({1000, 500}, 1600, 18'588) == RaceTime{1500, 500});
    CHECK(following({1000, 500}, 400, 18'588) == RaceTime{400, 500});
    CHECK(played_to(100, 1000, 0.5, 18'588) == 600);
    CHECK(played_to(18'500, 1000, 0.5, 18'588) == 18'588);
    CHECK(race_step(10) == 1);
    CHECK(race_step(1000) == 100);
    for (const double at : {0.0, 1.0, 3999.0})
        CHECK(std::abs(iteration_at({0, 4000}, x_of({0, 4000}, at, 1080), 1080) - at) < 0.01);
}

TEST_CASE("each fault shows in some strip or in what the prefix cache holds", "[race]") {
    const auto plain = held();
    const auto with = [](SimFault fault) { return held({.faults = {fault}}); };
    const auto leak = with(SimFault::Leak);
    CHECK(leak->lanes[5].at(3000).use.internal > 4 * plain->lanes[5].at(3000).use.internal);
    const auto blocks = with(SimFault::OversizedBlocks);
    CHECK(*blocks->lanes[5].result.internal_share > 0.25);
    CHECK(*plain->lanes[5].result.internal_share < 0.02);
    const auto open = with(SimFault::NoAdmissionControl);
    CHECK(open->lanes[5].result.counters.preemptions >
          plain->lanes[5].result.counters.preemptions * 3 / 2);
    for (const auto& race : {leak, blocks, open}) CHECK_FALSE(race->is_published());
}

TEST_CASE("the sentence names who is ahead", "[race]") {
    const Texts text;
    const auto race = held();
    CHECK(race_sentence(text, *race, 2000) ==
          "At iteration 2,000 paged runs 51 requests where max runs 7, in the same memory.");
    CHECK(race_sentence(text, *race, 3874) ==
          "At iteration 3,874 paged has come to its end, and max has 84 of 400 done.");
    CHECK(race_sentence(text, *race, 18'588) ==
          "All of them have come to their end; paged took 3,874 iterations, max took 18,588.");
    CHECK(end_words(text, race->lanes[5], race->requests) == "all 400 done, 3,874");
    CHECK(race_subtitle(text, *race).find("(12 GiB of OPT 13B)") != std::string::npos);
}

TEST_CASE("at 1920 by 1080 the strips have the size of the design", "[race]") {
    const RacePlan plan = plan_race({1880, 982}, usual_widths(), 6);
    REQUIRE(plan.lanes.size() == 6);
    CHECK(plan.lanes[0].strip.w == 1080);
    CHECK(plan.lanes[0].strip.h == 104);
    CHECK(plan.lanes[1].strip.y - plan.lanes[0].strip.y == 122);
    CHECK(plan.lanes[0].bar.w == 404);
    CHECK(plan.height <= 982);
}

TEST_CASE("a low room shows a strip before it is scrolled", "[race]") {
    const RacePlan plan = plan_race({400, 150}, usual_widths(), 6);
    CHECK(plan.lanes[0].strip.bottom() <= 150);
    CHECK(plan.title.w == 0);
    CHECK(plan_race({900, 500}, usual_widths(), 6).title.w > 0);
}

TEST_CASE("no part of the race overlaps another, in any room", "[race]") {
    for (const Vec2 room : {Vec2{1880, 982},
                            {2528, 1340},
                            {1568, 800},
                            {1240, 622},
                            {900, 500},
                            {640, 400},
                            {400, 160},
                            {260, 100}}) {
        const RacePlan plan = plan_race(room, usual_widths(), 6);
        CAPTURE(room.x, room.y);
        float y = 0;
        for (const RaceLanePlan& lane : plan.lanes) {
            CHECK(lane.strip.y >= y);
            CHECK(lane.strip.h >= 30);
            CHECK(lane.strip.w > 100);
            CHECK(lane.strip.x >= 0);
            y = lane.strip.bottom();
            if (plan.names_above) {
                CHECK(lane.name.bottom() <= lane.strip.y);
                continue;
            }
            CHECK(lane.name.right() <= lane.strip.x);
            CHECK(lane.strip.right() <= lane.running.x);
            if (lane.bar.w > 0) CHECK(lane.running.right() <= lane.bar.x);
            CHECK(lane.bar.right() <= room.x);
        }
        CHECK(plan.axis.y >= y);
        if (plan.legend.w > 0) CHECK(plan.legend.y >= plan.axis.bottom());
        CHECK(plan.transport.y >= plan.axis.bottom());
        CHECK(plan.transport.right() <= room.x);
        CHECK(plan.transport.bottom() <= plan.height);
        if (plan.sentence.y == plan.transport.y) CHECK(plan.transport.right() <= plan.sentence.x);
        CHECK(plan.choices.right() <= room.x);
        CHECK(plan.title.y + plan.title.h <= plan.subtitle.y);
        if (plan.title.y == plan.choices.y) CHECK(plan.title.right() <= plan.choices.x);
        if (plan.subtitle.y == plan.note.y) CHECK(plan.subtitle.right() <= plan.note.x);
    }
}
