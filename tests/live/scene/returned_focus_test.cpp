#include "app/live/scene/returned_focus.hpp"

#include <catch2/catch_test_macros.hpp>
#include <initializer_list>

using namespace kv;

namespace {

// A moment at which the requests of these names have arrived.
Snapshot moment_with(std::initializer_list<const char*> names) {
    Snapshot now;
    for (const char* name : names) {
        RequestView request;
        request.name = name;
        now.requests.push_back(request);
    }
    return now;
}

RunFocus focus_on(std::uint32_t request, std::uint32_t token) {
    RunFocus focus;
    focus.request = SeqId(request), focus.token = token, focus.layer = 2;
    return focus;
}

}  // namespace

TEST_CASE("what is looked at comes back by its request's name once a changed run is played there",
          "[live][focus]") {
    ReturnedFocus returned;
    RunFocus focus = focus_on(1, 21);
    returned.begin_anew({7}, focus, moment_with({"A", "B"}));
    REQUIRE(returned.goal());
    CHECK(returned.goal()->iteration == 7u);
    focus = RunFocus();  // nobody is there while it is played
    // The next change may come before the last one has been played: its run has nobody yet either.
    returned.begin_anew({7}, focus, moment_with({"C"}));
    const Snapshot there = moment_with({"C", "A", "B"});
    returned.arrive(focus, &there);
    CHECK_FALSE(returned.goal());
    CHECK(focus.request == SeqId(2));  // B, which has another number now
    CHECK(focus.token == 21u);
    CHECK(focus.layer == 2);
    focus = RunFocus();
    returned.arrive(focus, &there);  // it comes back once
    CHECK_FALSE(focus.token);
}

TEST_CASE("what is looked at is given up with its request, with its run, and when nobody waits",
          "[live][focus]") {
    const Snapshot before = moment_with({"A", "B"}), without = moment_with({"A"});
    ReturnedFocus returned;
    RunFocus focus = focus_on(1, 21);
    returned.begin_anew({}, focus, before);
    RunFocus elsewhere = focus_on(0, 3);
    returned.arrive(elsewhere, &without);
    CHECK(elsewhere.token == 3u);

    returned.begin_anew({}, focus, before);
    returned.arrive(elsewhere, nullptr);  // a file of events is shown instead
    CHECK(elsewhere.token == 3u);

    returned.begin_anew({}, focus, before);
    returned.stop();
    CHECK_FALSE(returned.goal());
    returned.arrive(elsewhere, &before);
    CHECK(elsewhere.token == 3u);

    returned.begin_anew({}, focus, before);
    returned.begin({4}, focus);  // another scene is opened
    CHECK_FALSE(focus.token);
    returned.arrive(elsewhere, &before);
    CHECK(elsewhere.token == 3u);
}

TEST_CASE("a request that is awaited comes into focus when it arrives, once", "[live][focus]") {
    ReturnedFocus returned;
    RunFocus focus = focus_on(0, 5);
    focus.block = BlockId(3);
    CHECK_FALSE(returned.meet(moment_with({"A", "B"}), focus));  // nobody is awaited
    returned.await("E");
    CHECK_FALSE(returned.meet(moment_with({"A"}), focus));
    CHECK(focus.token == 5u);
    CHECK(returned.meet(moment_with({"A", "E"}), focus));
    CHECK(focus.request == SeqId(1));
    CHECK_FALSE(focus.token);
    CHECK_FALSE(focus.block);
    focus = focus_on(0, 5);
    CHECK_FALSE(returned.meet(moment_with({"A", "E"}), focus));
    returned.await("F");
    returned.await_nobody();
    CHECK_FALSE(returned.meet(moment_with({"F"}), focus));
}

TEST_CASE("the selection stays inside what the run has", "[live][focus]") {
    KvLayout layout;
    layout.n_layers = 4, layout.n_kv_heads = 2, layout.n_blocks = 10;
    layout.k.dim = 16;
    RunBounds bounds;
    write_bounds(bounds, moment_with({"A", "B"}), layout, 8);
    CHECK(bounds.requests == std::vector<std::string>{"A", "B"});
    RunFocus focus;
    focus.layer = 4, focus.kv_head = 2, focus.query_head = 8, focus.dim = 16;
    focus.block = BlockId(10);
    clamp_to(bounds, focus);
    CHECK(focus.layer == 3);
    CHECK(focus.kv_head == 1);
    CHECK(focus.query_head == 7);
    CHECK(focus.dim == 15);
    CHECK_FALSE(focus.block);
    focus.block = BlockId(9);
    clamp_to(bounds, focus);
    CHECK(focus.block == BlockId(9));
    // A file of events knows no layers and no heads: then there is one of each.
    write_bounds(bounds, Snapshot(), KvLayout(), 0);
    clamp_to(bounds, focus);
    CHECK(bounds.requests.empty());
    CHECK((focus.layer == 0 && focus.kv_head == 0 && focus.query_head == 0 && focus.dim == 0));
    CHECK_FALSE(focus.block);
}
