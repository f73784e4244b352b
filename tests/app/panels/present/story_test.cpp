#include <catch2/catch_test_macros.hpp>

#include "app/panels/present/page/event_plan.hpp"
#include "app/panels/present/page/run_event.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// A and B hold blocks 3 and 7 of four slots; three tokens lie in the second one.
struct Shared {
    Shared() : told(16, 4) {
        a = told.add(8, 7, {3, 7});
        b = told.add(8, 7, {3, 7});
        first = told.trace.size();
    }
    void b_writes() {
        told.tell(BlockCopied{LaneId(0), BlockId(7), BlockId(12), 1, 3, 1536}, b);
        told.tell(TokensStored{7, 1}, b);
    }
    std::optional<EventStory> story() {
        RunFocus focus;
        return story_of(told.view(), focus, first, told.trace.size(), text);
    }
    const Texts text;
    ToldRun told;
    SeqId a{0}, b{0};
    std::uint64_t first = 0;
};

}  // namespace

TEST_CASE("a copy on a write is told with both requests and both blocks", "[present_story]") {
    Shared shared;
    shared.b_writes();
    const auto story = shared.story();
    REQUIRE(story);
    CHECK(story->kind == StoryKind::Copies);
    CHECK(story->headline == "Block 7 is shared by A and B.\nB writes: it gets a copy, block 12.");
    // 4 layers x 2 heads x (16 + 16) values x 2 bytes = 512 bytes for a token.
    CHECK(story->bytes == "3 × 512 B = 1.5 KiB copied");
    CHECK(story->before == shared.first);
    CHECK(story->after == shared.told.trace.size());  // what B wrote is there
}

TEST_CASE("before a copy one block has two owners, behind it each has its own", "[present_story]") {
    Shared shared;
    shared.b_writes();
    const auto story = shared.story();
    REQUIRE(story);
    const RunView run = shared.told.view();
    const Snapshot before = run.trace.at(story->before), after = run.trace.at(story->after);
    const EventPicturePlan plan =
        plan_event({48, 60, 1824, 700}, 1, *story, {before, after, run.word});
    REQUIRE(plan.before.cards.size() == 1);
    CHECK(plan.before.cards[0].ref_count == 2);
    CHECK(plan.before.cards[0].holders.size() == 2);
    CHECK_FALSE(plan.before.cards[0].was);
    REQUIRE(plan.after.cards.size() == 2);
    CHECK(plan.after.cards[0].was == 2u);  // struck
    CHECK(plan.after.cards[0].ref_count == 1);
    CHECK(plan.after.cards[1].block == BlockId(12));
    CHECK(plan.after.cards[1].is_new);
    // Three slots came over, the fourth was written.
    const auto& slots = plan.after.cards[1].slots;
    REQUIRE(slots.size() == 4);
    CHECK(slots[2].look == SlotLook::Filled);
    CHECK(slots[3].look == SlotLook::Written);
    CHECK(slots[3].word == "7");  // tokens are written as their numbers
    // B's entry changed, A's did not; block 3 stays shared.
    REQUIRE(plan.after.rows.size() == 2);
    CHECK_FALSE(plan.after.rows[0].entries[1].is_changed);
    CHECK(plan.after.rows[1].entries[1].is_changed);
    CHECK(plan.after.rows[1].entries[0].is_shared);
    REQUIRE(plan.copy);
    CHECK(plan.copy->x >= plan.after.cards[0].box.right());
}

TEST_CASE("what goes back because the cache is off is a story of its own", "[present_story]") {
    Shared shared;
    for (const std::uint32_t entry : {1u, 0u})
        shared.told.trace.append({1,
                                  shared.b,
                                  {Why::NothingKept, shared.b},
                                  BlockFreed{LaneId(0), BlockId(entry == 1 ? 7 : 3), entry}});
    const auto story = shared.story();
    REQUIRE(story);
    CHECK(story->kind == StoryKind::Forgets);
    CHECK(story->headline == "The step ends: B forgets all its 7 tokens.");
    CHECK(story->blocks.size() == 2);
    CHECK(shared.told.view().now.requests[shared.b.index()].stored == 0);
}

TEST_CASE("dropped tokens are shown in the block that they lie in, until it goes back",
          "[present_story]") {
    Shared shared;
    TokensDropped dropped;
    dropped.positions = dropped.slots = {4, 5, 6};
    dropped.kept = 4;
    shared.told.tell(dropped, shared.a);
    const auto story = shared.story();
    REQUIRE(story);
    CHECK(story->kind == StoryKind::Drops);
    CHECK(story->blocks == List<BlockId>{BlockId(7)});  // entry 1 of A's table: slots 4 to 7
    CHECK(story->after == shared.told.trace.size());

    shared.told.trace.append(
        {1, shared.a, {Why::AllDropped, shared.a}, BlockFreed{LaneId(0), BlockId(7), 1}});
    const auto freed = shared.story();
    REQUIRE(freed);
    CHECK(freed->after == shared.told.trace.size());
    CHECK(freed->blocks == List<BlockId>{BlockId(7)});
}

TEST_CASE("the last step begins where the one before it ended", "[present_story]") {
    Shared shared;
    shared.told.tell(IterationStarted{});
    const RunView run = shared.told.view();
    CHECK_FALSE(last_step_begins(run));  // inside of it there is only the tank
    shared.told.tell(IterationFinished{});
    const std::uint64_t end = shared.told.trace.size();
    std::vector<Sample> samples(2);
    samples[0].moment = 4, samples[1].moment = end;
    RunView after = shared.told.view();
    after.samples = samples;
    CHECK(last_step_begins(after) == 4);
}

TEST_CASE("both halves of an event stay inside of their room", "[present_story]") {
    Shared shared;
    shared.b_writes();
    const auto story = shared.story();
    REQUIRE(story);
    const RunView run = shared.told.view();
    const Snapshot before = run.trace.at(story->before), after = run.trace.at(story->after);
    for (const Rect room : {Rect{32, 60, 1216, 200}, Rect{32, 60, 1216, 420},
                            Rect{48, 60, 1824, 700}, Rect{64, 80, 2432, 1000}}) {
        const EventPicturePlan plan = plan_event(room, 2, *story, {before, after, run.word});
        INFO(room.w << "x" << room.h);
        for (const EventSide* side : {&plan.before, &plan.after})
            for (const EventCard& card : side->cards) {
                CHECK(card.count.bottom() <= room.bottom() + 1);
                CHECK(card.box.x >= room.x);
                CHECK(card.box.right() <= room.right() + 1);
                CHECK(side->rows.back().tag.bottom() <= card.box.y);
            }
        CHECK(plan.before.cards[0].box.right() <= plan.divide_x);
        CHECK(plan.after.cards[0].box.x >= plan.divide_x);
    }
}

TEST_CASE("a copy comes before an end, and an end before a block that is handed out",
          "[present_story]") {
    Shared shared;
    shared.told.tell(BlockAllocated{LaneId(0), BlockId(5), 2}, shared.a);
    CHECK(shared.story()->headline == "A needs room: it gets block 5.");
    shared.told.tell(RequestFinished{Finish::Length}, shared.a);
    shared.told.tell(BlockFreed{LaneId(0), BlockId(5), 2, false}, shared.a);
    shared.told.tell(BlockFreed{LaneId(0), BlockId(7), 1, false}, shared.a);
    const auto ends = shared.story();
    REQUIRE(ends);
    CHECK(ends->kind == StoryKind::Ends);
    CHECK(ends->headline == "A is done: it lets go of blocks 5, 7.");
    CHECK(ends->after == shared.told.trace.size());
    shared.b_writes();
    CHECK(shared.story()->kind == StoryKind::Copies);
}

TEST_CASE("where nothing happens there is no story", "[present_story]") {
    Shared shared;
    CHECK_FALSE(shared.story());
    shared.told.tell(TokenAdded{3}, shared.a);
    CHECK_FALSE(shared.story());
}
