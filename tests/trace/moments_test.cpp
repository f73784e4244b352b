// Any moment of a trace can be visited, and steps reach all of them both ways.
#include <catch2/catch_test_macros.hpp>

#include "core/trace/event/event.hpp"
#include "core/trace/trace.hpp"
#include "tests/trace/story.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// A trace that keeps what it was told, to be compared with.
class Kept : public EventLog {
public:
    void append(const Event& event) override {
        events.push_back(event);
        trace.append(event);
    }
    std::vector<Event> events;
    Trace trace;
};

// A step's end, said again by hand.
bool ends(const Event& event, Granularity step) {
    const auto* op = std::get_if<Operation>(&event.what);
    if (std::holds_alternative<IterationFinished>(event.what)) return true;
    if (step == Granularity::Operation) return op != nullptr;
    if (step == Granularity::Layer)
        return op && (op->op == Op::Embed || op->op == Op::Mlp || op->op == Op::Logits);
    if (step == Granularity::Token)
        return std::holds_alternative<TokenAdded>(event.what) ||
               std::holds_alternative<TokensStored>(event.what);
    return false;
}

}  // namespace

TEST_CASE("every moment equals applying the events from the start", "[trace]") {
    Kept kept;
    Story story(kept, 1);
    while (kept.events.size() < 13'000) story.iterations(20);  // over three keyframes
    Snapshot state;
    for (std::uint64_t n = 0; n <= kept.events.size(); ++n) {
        // Each moment costs thousands of events, so only those near an edge are all looked at.
        const bool near_keyframe = n % 4096 < 3 || n % 4096 > 4093;
        if (near_keyframe || n % 97 == 0 || n == kept.events.size())
            REQUIRE(kept.trace.at(n) == state);
        if (n == kept.events.size()) break;
        REQUIRE(spelled(kept.trace.event(n)) == spelled(kept.events[n]));
        apply(state, kept.events[n]);
    }
    CHECK(kept.trace.end() == state);
    CHECK(differences(kept.trace.end(), state).empty());
    CHECK_THROWS_AS(kept.trace.at(kept.events.size() + 1), BrokenAssert);
    CHECK_THROWS_AS(kept.trace.event(kept.events.size()), BrokenAssert);
}

TEST_CASE("steps of each size end where they should, forwards and backwards", "[trace]") {
    Kept kept;
    Story story(kept, 2, {16, 3, 2, 0});
    story.iterations(60);
    const std::uint64_t size = kept.trace.size();
    for (const Granularity step :
         {Granularity::Operation, Granularity::Layer, Granularity::Token, Granularity::Iteration}) {
        std::vector<std::uint64_t> stops{0};
        for (std::uint64_t n = 0; n < size; ++n)
            if (ends(kept.events[n], step)) stops.push_back(n + 1);
        if (stops.back() != size) stops.push_back(size);
        for (std::uint64_t m = 0; m <= size; ++m) {
            const auto after = std::upper_bound(stops.begin(), stops.end(), m);
            const auto from = std::lower_bound(stops.begin(), stops.end(), m);
            const auto next = kept.trace.next(m, step);
            const auto previous = kept.trace.previous(m, step);
            REQUIRE(next == (after == stops.end() ? std::nullopt : std::optional(*after)));
            REQUIRE(previous == (from == stops.begin() ? std::nullopt : std::optional(from[-1])));
            if (next && std::binary_search(stops.begin(), stops.end(), m))
                REQUIRE(kept.trace.previous(*next, step) == m);
        }
    }
}

TEST_CASE("an iteration ends before the next one starts", "[trace]") {
    Kept kept;
    Story story(kept, 3);
    story.iterations(600);
    for (std::uint32_t i = 0; i <= 600; ++i) {
        std::uint64_t wanted = kept.events.size();
        for (std::uint64_t n = kept.events.size(); n-- > 0;)
            if (std::holds_alternative<IterationStarted>(kept.events[n].what) &&
                kept.events[n].iteration > i)
                wanted = n;
        REQUIRE(kept.trace.end_of_iteration(i) == wanted);
    }
    CHECK_FALSE(kept.trace.end_of_iteration(601));
}

TEST_CASE("the next and the last event of a kind are found", "[trace]") {
    Kept kept;
    Story story(kept, 4);
    story.iterations(150);
    const auto wanted = [](const Event& e) { return std::holds_alternative<BlockFreed>(e.what); };
    for (std::uint64_t n = 0; n <= kept.events.size(); ++n) {
        std::optional<std::uint64_t> next, back;
        for (std::uint64_t i = n; i < kept.events.size() && !next; ++i)
            if (wanted(kept.events[i])) next = i;
        for (std::uint64_t i = n; i-- > 0 && !back;)
            if (wanted(kept.events[i])) back = i;
        REQUIRE(kept.trace.find(n, wanted) == next);
        REQUIRE(kept.trace.find_back(n, wanted) == back);
    }
}

TEST_CASE("a million events take at most 64 bytes each and open at any moment", "[trace][heavy]") {
    Trace trace;
    Story story(trace, 5, {512, 16, 1, 16});
    while (trace.size() < 1'000'000) story.iterations(1000);
    CHECK(trace.memory_bytes() <= 64 * trace.size());
    Dice dice(6, 0);
    for (int i = 0; i < 20; ++i) {
        const std::uint64_t n = dice.below(static_cast<std::uint32_t>(trace.size()));
        Snapshot state = trace.at(n);
        apply(state, trace.event(n));
        REQUIRE(state == trace.at(n + 1));
    }
}
