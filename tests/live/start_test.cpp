#include <catch2/catch_test_macros.hpp>

#include "app/live/start/own_sentence.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"
#include "tests/live/desk.hpp"

using namespace kv;

TEST_CASE("a sentence is one request over an empty pool, and its last whole word is looked at",
          "[live][start]") {
    Desk desk("explore");
    desk.state.layout = LayoutName::Learn;
    desk.ask("start.sentence My cat hid the key in the barn. Where is the key?");
    CHECK(desk.now().iteration == 1);
    REQUIRE(desk.now().requests.size() == 1);
    const RequestView& own = desk.now().requests[0];
    CHECK(own.n_prompt == 19);
    CHECK(own.stored == 19);
    CHECK(desk.now().block_size == 16);
    const PoolCounts pool = count_pool(desk.now());
    CHECK(pool.blocks == 48);
    CHECK(pool.used == 2);
    CHECK(pool.free == 46);
    CHECK(desk.view().layout.pool_bytes() == 384 * 1024);
    CHECK(desk.state.layout == LayoutName::Explore);
    CHECK(desk.state.run.focus.request == SeqId(0));
    REQUIRE(desk.state.run.focus.token);
    CHECK(*desk.state.run.focus.token == 17);  // " key", the last word; "?" is none
    CHECK(desk.state.bring_to_front == List<PanelId>{PanelId::Inspector});
    // Its answer goes on from there.
    desk.ask("run.last");
    CHECK(desk.now().requests[0].n_new == 6);
}

TEST_CASE("of a sentence without a known word the last token is looked at", "[live][start]") {
    Desk desk;
    desk.ask("start.sentence xyz");
    CHECK(desk.now().requests[0].stored == 4);  // <s> x y z
    CHECK(desk.state.run.focus.token == 3u);
}

TEST_CASE("a sentence that cannot be read leaves the run as it is", "[live][start]") {
    Desk desk("first");
    const Snapshot before = desk.now();
    CHECK_THROWS_AS(desk.ask("start.sentence    "), Error);
    std::string words = "Greta";
    for (int i = 0; i < 506; ++i) words += " key";
    CHECK_THROWS_AS(desk.ask("start.sentence " + words), Error);  // 1 + 507 tokens
    CHECK(desk.now() == before);
    desk.ask("start.sentence Greta" +
             words.substr(9));  // 507 with <s>: there is room for the answer
    CHECK(desk.now().requests[0].n_prompt == 507);
}

TEST_CASE("what is wrong with a sentence is said at the field while the page is open",
          "[live][start]") {
    Desk desk("first");
    apply(desk.state, {"window.first_start", {}});
    std::string words = "start.sentence Greta";
    for (int i = 0; i < 600; ++i) words += " key";
    desk.push(words);
    for (int i = 0; i < 1'000 && desk.state.start.problem.empty(); ++i)
        desk.run.tick(desk.state, i);
    CHECK(desk.state.start.open);
    CHECK_FALSE(desk.state.start.problem.empty());
    CHECK_FALSE(desk.state.notice);
}

TEST_CASE("the page covers no run: what is open goes on below it", "[live][start]") {
    Desk desk("learn");
    const Snapshot before = desk.now();
    const std::uint64_t id = desk.view().id;
    apply(desk.state, {"window.first_start", {}});
    desk.run.finish(desk.state);
    const StartView& page = desk.run.start();
    REQUIRE(page.run != nullptr);
    CHECK(page.n_steps == 6);
    CHECK(page.run->layout.n_blocks == 12);
    CHECK(page.run->id != id);
    CHECK(page.page == 16);
    CHECK(page.blocks == 48);
    CHECK(page.known.size() == 6);
    CHECK(desk.now() == before);
    CHECK(desk.view().id == id);

    // With reduced motion the last step stands, unless one was chosen.
    desk.state.settings.reduced_motion = true;
    desk.run.finish(desk.state);
    CHECK(desk.run.start().run->now.iteration == 6);
    apply(desk.state, {"start.step", std::uint64_t{2}});
    desk.run.finish(desk.state);
    CHECK(desk.run.start().run->now.iteration == 2);

    apply(desk.state, {"start.close", {}});
    desk.run.finish(desk.state);
    CHECK(desk.run.start().run == nullptr);
    CHECK(desk.state.settings.first_start_done);
    CHECK(desk.now() == before);
}

TEST_CASE("the guided minute begins with its own scene at the first step", "[live][start]") {
    Desk desk("explore");
    desk.state.layout = LayoutName::Present;
    desk.ask("minute.start");
    CHECK(desk.view().scene == "The first minute");
    CHECK(desk.now().iteration == 1);
    CHECK(desk.state.layout == LayoutName::Explore);
}

TEST_CASE("while a run is computed it is said how far it is, and Stop shows what there is",
          "[live][start]") {
    Desk desk;
    desk.run.open_as_shown("explore");
    bool computed = false;
    std::uint32_t last_step = 0;
    for (int i = 0; i < 100'000 && last_step < 5; ++i) {
        desk.run.tick(desk.state, i);
        const auto& preparing = desk.state.run.preparing;
        if (!preparing) {  // where this thread waits for its turn, the other one may have come to
                           // the end
            REQUIRE(desk.run.view() != nullptr);
            REQUIRE(desk.now().iteration == 112);  // never a picture of step 0
            return;
        }
        if (preparing->what != Preparing::What::Run) continue;  // a model is read in no time
        computed = true;
        CHECK(preparing->name == "Eight requests, one pool");
        CHECK(preparing->last == 112u);
        CHECK(preparing->step >= last_step);
        last_step = preparing->step;
    }
    CHECK(computed);
    apply(desk.state, {"run.cancel", {}});
    // The iteration that is under way is computed to its end; no picture of step 0 comes before.
    do desk.run.tick(desk.state, 0);
    while (desk.state.run.preparing);
    REQUIRE(desk.run.view() != nullptr);
    CHECK(desk.now().iteration >= last_step);
    CHECK(desk.now().iteration < 112);
}
