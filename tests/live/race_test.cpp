// Races held beside the window: the workloads, a file, faults, stop, and the playhead under a
// clock.
#include "app/frame/race.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "app/live/race/desk.hpp"
#include "core/base/error.hpp"
#include "core/sim/generator.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::ScratchFolder;

namespace {

const Progress kGoOn = [](double) { return true; };

// 80 prompts of two blocks of 512 tokens, all the same: after the first one each is a hit.
std::string repeated_prompts() {
    std::string text;
    for (int i = 0; i < 80; ++i)
        text += "{\"timestamp\": " + std::to_string(i) +
                ", \"input_length\": 1024, \"output_length\": 4, \"hash_ids\": [1, 2]}\n";
    return text;
}

}  // namespace

TEST_CASE("every workload that ships is raced by all six", "[race]") {
    for (const WorkloadModel& model : workload_models()) {
        CAPTURE(model.name);
        const auto race = hold_race({.workload = std::string(model.name), .requests = 60}, kGoOn);
        REQUIRE(race->lanes.size() == 6);
        for (const RaceRecord& lane : race->lanes) {
            const RaceCounters& c = lane.result.counters;
            CHECK(c.finished + c.refused + c.abandoned + lane.result.left_waiting == 60);
            CHECK(lane.at(0).use.sum() == race->settings.pool.slots);
        }
        CHECK(race->is_published() == (model.name == kPublishedWorkload));
    }
}

TEST_CASE("a cold cache shows in what the prefix cache of a trace would have held", "[race]") {
    const ScratchFolder scratch;
    RaceAsk ask{.workload = scratch.write("trace.jsonl", repeated_prompts()), .requests = 80};
    const auto warm = hold_race(ask, kGoOn);
    REQUIRE(warm->prefix);
    CHECK(warm->is_file);
    CHECK(warm->requests == 80);
    // One token of a prompt is always computed.
    CHECK(*warm->prefix->rate == 79.0 * 1023 / (80 * 1024));
    ask.faults = {SimFault::ColdCache};
    const auto cold = hold_race(ask, kGoOn);
    CHECK(cold->prefix->forget_every == 10);
    CHECK(*cold->prefix->rate == 72.0 * 1023 / (80 * 1024));
    // At most as many rows as are asked for.
    ask.requests = 7;
    CHECK(hold_race(ask, kGoOn)->requests == 7);
}

TEST_CASE("a file that is no trace is refused in one sentence, and the next wish is held",
          "[race]") {
    const ScratchFolder scratch;
    RaceDesk desk({});
    RaceUi race;
    desk.finish(race);
    CHECK_FALSE(race.race);  // nobody has asked for one
    ask_race(race, {"race.workload", scratch.write("trace.csv", "a,b,c\n1,2,3\n")});
    desk.finish(race);
    CHECK_THAT(race.refused.english(), ContainsSubstring("line 1"));
    CHECK_FALSE(race.race);
    ask_race(race, {"race.workload", std::string("/no/such/place.csv")});
    desk.finish(race);
    CHECK_THAT(race.refused.english(), ContainsSubstring("place.csv"));
    ask_race(race, {"race.workload", std::string("arxiv-like")});
    desk.finish(race);
    CHECK(race.refused.empty());
    REQUIRE(race.race);
    CHECK(race.race->ask.workload == "arxiv-like");
}

TEST_CASE("what a command of the race cannot take is refused and changes nothing", "[race]") {
    RaceUi race;
    const RaceAsk before = race.ask;
    const auto refuses = [&](const Command& command, const std::string& words) {
        CHECK_THROWS_MATCHES(ask_race(race, command), Error,
                             MessageMatches(ContainsSubstring(words)));
        CHECK(race.ask == before);
    };
    refuses({"race.workload", std::string("sharegpt")}, "sharegpt-like, azure-conv-like");
    refuses({"race.fault", std::string("leek")}, "oversized_blocks");
    refuses({"race.fault", std::string("cold_cache")}, "Mooncake");
    refuses({"race.requests", std::uint64_t{0}}, "between 1 and 10,000");
    refuses({"race.speed", std::uint64_t{0}}, "between");
    refuses({"race.rule", std::string("buddy")}, "first_fit");
}

TEST_CASE("a fault is planted by its name and taken out by it", "[race]") {
    RaceDesk desk({});
    RaceUi race;
    ask_race(race, {"race.fault", std::string("oversized_blocks")});
    ask_race(race, {"race.fault", std::string("leak")});
    CHECK(race.ask.faults == std::vector{SimFault::Leak, SimFault::OversizedBlocks});
    desk.finish(race);
    CHECK(race.race->settings.pool.block_size == kOversizedBlock);
    ask_race(race, {"race.fault", std::string("leak")});
    CHECK(race.ask.faults == std::vector{SimFault::OversizedBlocks});
    desk.finish(race);
    CHECK(race.race->settings.faults.leak == 0);
}

TEST_CASE("the race plays by the clock and stops at its end", "[race]") {
    RaceDesk desk({});
    RaceUi race;
    ask_race(race, {"race.again", {}});
    desk.finish(race);
    REQUIRE(race.playing);
    CHECK(race.iteration() == 0);
    desk.tick(race, 10.0, 0);
    CHECK(race.iteration() == 0);  // the clock begins with the first tick
    desk.tick(race, 10.5, 0);
    CHECK(race.iteration() == 50);
    REQUIRE(desk.acts_next_at(race));
    CHECK(*desk.acts_next_at(race) > 10.5);
    ask_race(race, {"race.play", {}});
    desk.tick(race, 20.0, 0);
    CHECK(race.iteration() == 50);
    CHECK_FALSE(desk.acts_next_at(race));
    ask_race(race, {"race.forward", {}});
    CHECK(race.iteration() == 60);
    ask_race(race, {"race.finer_back", {}});
    CHECK(race.iteration() == 59);
    ask_race(race, {"race.speed", std::uint64_t{1000}});
    ask_race(race, {"race.play", {}});
    desk.tick(race, 30.0, 0);
    desk.tick(race, 90.0, 0);
    CHECK(race.iteration() == 18'588);
    CHECK_FALSE(race.playing);
    CHECK(race.shown() == RaceTime{0, 18'588});  // all of it came into view
    ask_race(race, {"race.play", {}});
    CHECK(race.iteration() == 0);  // at its end it begins again
}

TEST_CASE("a race that is stopped leaves the last one, and again begins it anew", "[race]") {
    RaceDesk desk({});
    RaceUi race;
    race.wanted = true;
    desk.finish(race);
    const auto first = race.race;
    ask_race(race, {"race.requests", std::uint64_t{10'000}});
    ask_race(race, {"race.stop", {}});
    desk.tick(race, 0, 0);
    CHECK(race.race == first);
    CHECK(race.stopped);
    CHECK_FALSE(desk.busy());
    ask_race(race, {"race.requests", std::uint64_t{50}});
    desk.finish(race);
    CHECK_FALSE(race.stopped);
    CHECK(race.race->requests == 50);
}
