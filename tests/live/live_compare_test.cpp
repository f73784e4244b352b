// Two runs side by side, really played: the stock scene and what a person can do to it.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "app/panels/stage/plan/words.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/pair/pair.hpp"
#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "tests/live/desk.hpp"

using namespace kv;

namespace {

struct Played : Desk {
    void wish(CommandId id, Argument argument = {}) {
        state.run.wishes.push_back({id, std::move(argument)});
        run.finish(state);
    }
    // The scene's left side is one in which the request was stopped, and the right side goes on.
    void open_stopped(const char* scene, std::uint64_t at, const std::string& request) {
        open(scene);
        wish("run.goto", at);
        wish("run.branch", "stop " + request);
        wish("run.swap_sides");
    }
    const RunView& left() const { return *run.view(); }
    const RunView& right() const { return *run.other_view(); }
    TokenParting first() const {
        PairDifference pair;
        pair.follow(left(), right(), SeqId(0));
        REQUIRE_FALSE(pair.partings().empty());
        return pair.partings().front();
    }
};

}  // namespace

TEST_CASE("the stock scene of Compare opens with both sides, which answer differently", "[live]") {
    Played played;
    played.open("two-models");
    REQUIRE(played.run.other_view() != nullptr);
    CHECK(played.left().model_name == "gqa");
    CHECK(played.right().model_name == "mqa");
    CHECK(played.left().id != played.right().id);
    CHECK(played.left().now.iteration == played.right().now.iteration);
    CHECK(played.state.run.compared);
    const TokenParting first = played.first();
    // The key lay in the tower first, and in the cellar last.
    CHECK(first.request == "A");
    CHECK(bare_word(played.left().word(*first.left)) == "cellar");
    CHECK(bare_word(played.right().word(*first.right)) == "tower");
}

TEST_CASE("swapping the sides turns the comparison around", "[live]") {
    Played played;
    played.open("two-models");
    const TokenParting before = played.first();
    played.wish("run.swap_sides");
    REQUIRE(played.run.other_view() != nullptr);
    CHECK(played.left().model_name == "mqa");
    CHECK(played.right().model_name == "gqa");
    const TokenParting after = played.first();
    CHECK(after.left == before.right);
    CHECK(after.right == before.left);
    // A setting changes both sides and the comparison stays.
    played.wish("run.set", std::string("block_size 8"));
    REQUIRE(played.run.other_view() != nullptr);
    CHECK(played.left().now.block_size == 8);
    CHECK(played.right().now.block_size == 8);
    CHECK(played.right().model_name == "gqa");
    played.wish("run.end_comparison");
    CHECK(played.run.other_view() == nullptr);
    CHECK_FALSE(played.state.run.compared);
    CHECK(played.left().model_name == "mqa");
}

TEST_CASE("next difference goes from one token that differs to the next", "[live]") {
    Played played;
    played.open("two-models");
    const TokenParting first = played.first();
    played.wish("run.first");
    played.wish("run.next_difference");
    CHECK(played.left().now.iteration == first.iteration);
    CHECK(played.left().now.requests[0].tokens.size() == first.index + 1);
    CHECK(played.right().now.iteration == first.iteration);
    played.wish("run.next_difference");
    CHECK(played.left().now.iteration > first.iteration);
}

TEST_CASE("next difference finds where the left side ends first", "[live]") {
    Played played;
    played.open_stopped("two-models", 8, "A");
    const TokenParting first = played.first();
    REQUIRE_FALSE(first.left);
    REQUIRE(first.right);
    played.wish("run.first");
    played.wish("run.next_difference");
    CHECK(played.left().at_end);
    CHECK(played.left().now.requests[0].tokens.size() == first.index);
    std::string why;
    try {
        played.wish("run.next_difference");
    } catch (const Error& refused) {
        why = refused.what();
    }
    CHECK(why == "The left side has ended here; only the right one goes on.");
}

TEST_CASE("next difference goes on while only one request of the left side has ended", "[live]") {
    Played played;
    played.open_stopped("explore", 25, "C");
    const TokenParting first = played.first();
    REQUIRE_FALSE(first.left);
    played.wish("run.first");
    played.wish("run.next_difference");
    CHECK(played.left().now.iteration == first.iteration);
    CHECK_FALSE(played.left().at_end);
}

TEST_CASE("a change without an effect on the tokens shows no difference", "[live]") {
    Played played;
    played.open("two-models");
    played.wish("run.compare", std::string("block_size 4"));
    REQUIRE(played.run.other_view() != nullptr);
    CHECK(played.right().now.block_size == 4);
    CHECK(played.state.layout == LayoutName::Compare);
    PairDifference pair;
    pair.follow(played.left(), played.right(), SeqId(0));
    CHECK(pair.partings().empty());
    // The same numbers in other pages: bit for bit the same thoughts.
    REQUIRE_FALSE(pair.judgement().tokens.empty());
    CHECK(pair.judgement().kl == 0);
    CHECK(pair.judgement().left == pair.judgement().right);
    CHECK(pair.judgement().agree == pair.judgement().tokens.size());
    played.wish("run.first");
    CHECK_THROWS_AS(played.wish("run.next_difference"), Error);
}

TEST_CASE("a comparison knows what a full cache makes of the same text", "[live]") {
    Played played;
    played.open("needle");
    PairDifference pair;
    pair.follow(played.left(), played.right(), SeqId(0));
    const auto& full = pair.judgement().full;
    REQUIRE(full.has_value());
    // The needle is lost by the window on the left and kept by SnapKV on the right, which drops
    // nothing before the query that draws the first token has looked.
    CHECK(full->knows_lost_right);
    CHECK(full->lost[0] > 0.5);
    CHECK(full->lost[1] < 0.2);
    CHECK(pair.judgement().tokens[0].full->lost[1] == 0);
    CHECK(pair.judgement().tokens[0].full->lost[0] > 0.5);
    CHECK(full->kl[0] > full->kl[1]);
    CHECK(full->agree[1] >= full->agree[0]);
    const FullText* before = played.left().in_full;
    played.wish("run.swap_sides");
    PairDifference swapped;
    swapped.follow(played.left(), played.right(), SeqId(0));
    REQUIRE(swapped.judgement().full.has_value());
    CHECK(played.left().in_full != before);
    CHECK(swapped.judgement().full->lost[1] > swapped.judgement().full->lost[0]);
    played.wish("run.compare", std::string("model mqa"));
    PairDifference models;
    models.follow(played.left(), played.right(), SeqId(0));
    REQUIRE(models.judgement().full.has_value());
    CHECK(!models.judgement().full->knows_lost_right);
    played.wish("run.end_comparison");
    CHECK(played.left().in_full == nullptr);
}

TEST_CASE("a branch shares the past and ends where its command says", "[live]") {
    Played played;
    played.open("two-models");
    played.wish("run.goto", std::uint64_t{8});
    played.wish("run.branch", std::string("stop A"));
    REQUIRE(played.run.other_view() != nullptr);
    CHECK(played.right().model_name == "gqa");
    CHECK(played.right().change->value == "stop A");
    CHECK(played.right().change->from == 8);
    const TokenParting first = played.first();
    CHECK(first.left.has_value());
    CHECK_FALSE(first.right.has_value());
}

TEST_CASE("the event behind a difference is the last one of its request before it", "[live]") {
    Played played;
    played.open("two-models");
    const TokenParting first = played.first();
    const Event added = played.left().trace.event(first.event);
    REQUIRE(std::holds_alternative<TokenAdded>(added.what));
    CHECK(std::get<TokenAdded>(added.what).token == *first.left);
    CHECK(added.iteration == first.iteration);

    played.wish("run.difference_event");
    CHECK(played.state.layout == LayoutName::Explore);
    CHECK(played.state.bring_to_front == std::vector{PanelId::Events});
    const std::uint64_t moment = played.left().moment;
    REQUIRE(moment > 0);
    CHECK(moment <= first.event + 1);
    const Event shown = played.left().trace.event(moment - 1);
    CHECK(shown.request == SeqId(0));
    CHECK(mark_of(shown).has_value());
    // Nothing that the log lists about this request lies between.
    for (std::uint64_t n = moment; n <= first.event; ++n) {
        const Event between = played.left().trace.event(n);
        CHECK_FALSE((between.request == SeqId(0) && mark_of(between)));
    }
}

TEST_CASE("without a difference there is no event behind it", "[live]") {
    Played played;
    played.open("two-models");
    played.state.layout = LayoutName::Compare;
    played.wish("run.end_comparison");
    CHECK_THROWS_AS(played.wish("run.difference_event"), Error);
    CHECK(played.state.layout == LayoutName::Compare);
}

TEST_CASE("Compare opens with something beside the run, and gives it back to nobody twice",
          "[live]") {
    Played played;
    played.open("first");
    played.state.layout = LayoutName::Compare;
    played.run.finish(played.state);
    CHECK(played.run.other_view() == nullptr);  // it keeps everything already
    played.wish("run.set", std::string("evict window:8"));
    REQUIRE(played.run.other_view() != nullptr);
    CHECK(played.left().settings.at("evict") == "window:8");
    CHECK(played.right().settings.at("evict") == "none");
    CHECK(played.right().change->is_full);
    CHECK(played.right().now.iteration == played.left().now.iteration);
    // What was changed last, beside what it was.
    played.wish("run.set", std::string("block_size 8"));
    played.state.layout = LayoutName::Explore;
    played.run.finish(played.state);
    played.state.layout = LayoutName::Compare;
    played.run.finish(played.state);
    REQUIRE(played.run.other_view() != nullptr);
    CHECK(played.right().now.block_size != 8);
    CHECK(played.right().settings.at("evict") == "window:8");
    // Whoever ends it has ended it.
    played.wish("run.end_comparison");
    played.run.finish(played.state);
    CHECK(played.run.other_view() == nullptr);
}

TEST_CASE("a comparison that a person asked for stays when Compare is opened", "[live]") {
    Played played;
    played.open("needle");
    played.state.layout = LayoutName::Explore;
    played.run.finish(played.state);
    played.state.layout = LayoutName::Compare;
    played.run.finish(played.state);
    CHECK(played.right().settings.at("evict").substr(0, 6) == "snapkv");
}

TEST_CASE("the same step has one focus, however one comes to it", "[live][heavy]") {
    for (const std::uint32_t step : {1u, 20u, 112u}) {
        Desk asked("explore", step), moved("explore");
        moved.ask("run.goto " + std::to_string(step));
        INFO(step);
        CHECK(asked.state.run.focus.request == moved.state.run.focus.request);
        CHECK(asked.state.run.focus.token == moved.state.run.focus.token);
    }
}
