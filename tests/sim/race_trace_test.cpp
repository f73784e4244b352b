// The race told block by block: every event may happen where it stands, and what the trace adds up
// to is what the race counted.
#include "core/sim/race_trace.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/trace/applicable.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"
#include "core/trace/files/read.hpp"
#include "tests/sim/random_race.hpp"

using namespace kv;

namespace {

// Refuses what could not have happened, and looks at the state after every event.
class CheckedTrace : public EventLog {
public:
    void append(const Event& event) override {
        const auto refusal = why_not_applicable(trace.end(), event);
        INFO(trace.size() << (refusal ? ": " + refusal->field + " " + refusal->rule : ""));
        REQUIRE_FALSE(refusal);
        trace.append(event);
        if (!trace.end().lanes.empty()) most_used = std::max(most_used, trace.end().lanes[0].used);
    }
    Trace trace;
    std::uint32_t most_used = 0;
};

// Some of these leak.
test::RandomRace leaky_race(u64 number) {
    test::RandomRace made = test::random_race(number, 3);
    if (number % 4 == 0) made.settings.faults.leak = 0.1;
    return made;
}

}  // namespace

TEST_CASE("what the trace of a race adds up to is what the race counted", "[sim][race_trace]") {
    u64 preemptions = 0, refused = 0, leaked = 0;
    for (u64 number = 0; number < 200; ++number) {
        CAPTURE(number);
        const test::RandomRace scene = leaky_race(number);
        CheckedTrace told;
        RaceTrace watcher(scene.workload, scene.settings.pool, told);
        const RaceResult result =
            *race(AllocatorKind::Paged, scene.workload, scene.settings, {}, {}, &watcher);
        watcher.finish();

        const Snapshot& end = told.trace.end();
        CHECK(end.iteration == result.iterations);
        CHECK(end.counters.preemptions == result.counters.preemptions);
        CHECK(end.counters.new_tokens == result.counters.generation_tokens);
        CHECK(told.most_used * scene.settings.pool.block_size == result.peak_slots);
        u64 finished = 0, never_fit = 0;
        for (std::uint32_t i = 0; i < end.requests.size(); ++i) {
            const RequestView& request = end.requests[i];
            finished += request.state == RequestState::Finished;
            never_fit += request.state == RequestState::Refused;
            if (request.state == RequestState::Finished)
                CHECK(request.n_new == scene.workload[i].output);
        }
        CHECK(finished == result.counters.finished);
        CHECK(never_fit == result.counters.refused);
        CHECK(end.lanes[0].used * scene.settings.pool.block_size == result.counters.leaked_slots);
        preemptions += result.counters.preemptions, refused += never_fit;
        leaked += result.counters.leaked_slots;
    }
    // The scenes are worth something.
    CHECK(preemptions > 0);
    CHECK(refused > 0);
    CHECK(leaked > 0);
}

TEST_CASE("a race that takes two requests in turn, event by event", "[sim][race_trace]") {
    // Two blocks of two slots; each request needs both: 2 tokens of prompt and 2 of answer.
    RaceSettings settings;
    settings.pool.slots = 4, settings.pool.block_size = 2;
    const Workload workload{{0, 2, 2}, {0, 2, 2}};
    Trace trace;
    RaceTrace watcher(workload, settings.pool, trace);
    REQUIRE(race(AllocatorKind::Paged, workload, settings, {}, {}, &watcher));
    watcher.finish();
    // In the first iteration A takes a block for its prompt and another for its first new token.
    const Snapshot first = trace.at(*trace.end_of_iteration(1));
    CHECK(first.running == std::vector{SeqId(0)});
    CHECK(first.requests[0].stored == 3);
    CHECK(first.requests[0].tables[0][1] == BlockId(1));
    CHECK(first.waiting == std::vector{SeqId(1)});
    // Its second one is its last; B has the blocks in the order in which they came back.
    const Snapshot third = trace.at(*trace.end_of_iteration(3));
    CHECK(third.requests[0].state == RequestState::Finished);
    CHECK(third.requests[1].tables[0][0] == BlockId(1));
    CHECK(third.requests[1].tables[0][1] == BlockId(0));
    CHECK(trace.end().iteration == 4);
    CHECK(trace.end().lanes[0].used == 0);
}

TEST_CASE("a race reads back from its file", "[sim][race_trace]") {
    const test::RandomRace scene = leaky_race(11);
    Trace trace;
    RaceTrace watcher(scene.workload, scene.settings.pool, trace);
    REQUIRE(race(AllocatorKind::Paged, scene.workload, scene.settings, {}, {}, &watcher));
    watcher.finish();
    const ImportedTrace read = import_trace_text(trace_json(trace), "race.jsonl");
    CHECK(read.trace.end() == trace.end());
    CHECK(simulated_request(0) == "A");
    CHECK(simulated_request(8) == "I");
    CHECK(simulated_request(9) == "A2");
}
