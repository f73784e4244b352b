// Drafts in the window: what is shown of one on the Stage, the sums of several, the box, the rings
// of the roofline and the setting as choices. The events are written by hand; 512 bytes a token.
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/panels/charts/roofline_plan.hpp"
#include "app/panels/drafts/map.hpp"
#include "app/panels/drafts/plan.hpp"
#include "app/panels/present/page/story.hpp"
#include "app/panels/settings/draft_choice.hpp"
#include "app/panels/stage/plan/chips.hpp"
#include "app/panels/stage/plan/draft.hpp"
#include "app/panels/stage/plan/plan.hpp"
#include "app/panels/timeline/sentences.hpp"
#include "core/trace/event/event.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Made in as many passes as it has tokens, which read weights as well.
DraftProposed draft(const char* source, std::uint32_t first,
                    const std::vector<std::uint32_t>& tokens) {
    DraftProposed event;
    event.source = source, event.first = first;
    event.passes = static_cast<decltype(event.passes)>(tokens.size());
    event.bytes_read = 6'559'744;
    for (const std::uint32_t token : tokens) event.tokens.push_back(token);
    return event;
}

// A knows 40 tokens; 39 lie in blocks 11, 22 and 44. Four more are proposed for positions 40 to 43,
// of which the model says two, and 90 instead of the third.
struct Drafted {
    Drafted() : told(48, 16) {
        a = told.add(40, 39, {11, 22, 44});
        told.tell(DrafterMade{"mqa", 12, 16, 4096});  // 256 bytes a token
        told.tell(IterationStarted{});
        told.tell(TokensScheduled{39, 1}, a);
        told.tell(draft("mqa", 40, {50, 51, 52, 53}), a);
    }
    void verify() {
        told.tell(DraftVerified{4, 2, 1, 1, {50, 51, 90}}, a);
        for (std::uint32_t i = 0; i < 3; ++i) {
            told.tell(TokensStored{39 + i, 1}, a);
            told.tell(TokenAdded{std::array<std::uint32_t, 3>{50, 51, 90}[i]}, a);
        }
    }
    Chip chip(std::uint32_t position) {
        const RunView view = told.view();
        StageFacts facts;
        facts.follow(view);
        return chip_of(view.lane(), facts, {a, position});
    }
    std::vector<ChipState> chips(std::uint32_t first, std::uint32_t end) {
        std::vector<ChipState> states;
        for (std::uint32_t at = first; at < end; ++at) states.push_back(chip(at).state);
        return states;
    }
    RunHistory history() {
        RunHistory history;
        history.catch_up(told.view());
        return history;
    }
    ToldRun told;
    SeqId a{0};
    const Texts text;
};

Text said(const List<SentencePiece>& pieces) {
    Text all;
    for (const SentencePiece& piece : pieces) all += piece.text;
    return all;
}

}  // namespace

TEST_CASE("proposed tokens are ghosts behind the query until they are checked", "[drafts]") {
    Drafted run;
    using enum ChipState;
    CHECK(run.chips(38, 45) == std::vector{Stored, Query, Ghost, Ghost, Ghost, Ghost, Empty});
    const auto shown = draft_shown(run.told.view(), run.a);
    REQUIRE(shown);
    CHECK_FALSE(shown->verified);
    CHECK(shown->cells[2] == DraftCell{42, 52, Verdict::Proposed});
    CHECK(shown->passes == 4);
    CHECK(shown->drafter_bytes == 42'496);  // (40 + 41 + 42 + 43) * 256
    CHECK(shown->keys_read == 44);          // 40 of the query itself, and 4 proposals
    CHECK(shown->bytes_read == 22'528);
    CHECK(said(draft_sentence(run.told.view().now, *shown, run.text)) ==
          "Step 1: mqa proposes 4 tokens for A. Nobody has checked them yet.");
}

TEST_CASE("accepted ones turn solid, a wrong one is struck, and those behind it are not judged",
          "[drafts]") {
    Drafted run;
    run.verify();
    using enum ChipState;
    CHECK(run.chips(38, 45) ==
          std::vector{Stored, Query, Accepted, Accepted, Struck, Behind, Empty});
    CHECK(run.chip(40).has_bar);
    CHECK_FALSE(run.chip(42).has_bar);
    const auto shown = draft_shown(run.told.view(), run.a);
    REQUIRE(shown);
    CHECK(shown->own == 90u);
    CHECK(shown->tokens() == 3);
    CHECK(shown->slots_back() == 2);
    CHECK(shown->columns() == 4);
    CHECK(said(draft_sentence(run.told.view().now, *shown, run.text)) ==
          "Step 1: 4 proposed, 2 accepted, 3 tokens from one read.");
}

TEST_CASE("where all are right, the model's own stands behind them", "[drafts]") {
    Drafted run;
    run.told.tell(DraftVerified{4, 4, 0, 0, {50, 51, 52, 53, 90}}, run.a);
    for (std::uint32_t i = 0; i < 5; ++i) {
        run.told.tell(TokensStored{39 + i, 1}, run.a);
        run.told.tell(TokenAdded{i == 4 ? 90 : 50 + i}, run.a);
    }
    using enum ChipState;
    CHECK(run.chips(40, 46) == std::vector{Accepted, Accepted, Accepted, Accepted, Own, Empty});
    CHECK(draft_shown(run.told.view(), run.a)->columns() == 5);
}

TEST_CASE("a draft that reaches into a new block has a row for it", "[drafts]") {
    ToldRun told(48, 16);
    const SeqId a = told.add(31, 30, {3, 4});
    told.tell(TokensScheduled{30, 1}, a);
    told.tell(draft("ngram:3", 31, {1, 2, 3}), a);
    CHECK(rows_of(told.view().lane(), a) == 3);  // 31, and 32 to 33 in the third block
    told.tell(DraftVerified{3, 0, 1, 2, {9}}, a);
    CHECK(rows_of(told.view().lane(), a) == 3);  // still drawn, as given back
    told.tell(TokensStored{30, 1}, a);
    told.tell(TokenAdded{9}, a);
    told.tell(TokensScheduled{31, 1}, a);
    CHECK(rows_of(told.view().lane(), a) == 2);
}

TEST_CASE("the events of a draft are told in a sentence each", "[drafts][log]") {
    Drafted run;
    run.verify();
    const auto last = [&](auto is) {
        Text found;
        run.told.trace.each(0, run.told.trace.size(), [&](std::uint64_t, const Event& e) {
            if (is(e)) found = sentence_of(run.text, run.told.view().now, e).what;
        });
        return found;
    };
    CHECK(last([](const Event& e) { return std::holds_alternative<DraftProposed>(e.what); }) ==
          "mqa proposes 4 tokens for A");
    CHECK(last([](const Event& e) { return std::holds_alternative<DraftVerified>(e.what); }) ==
          "A keeps 2 of 4 proposed tokens");
    const auto story = story_of(run.told.view(), RunFocus{}, 0, run.told.trace.size(), run.text);
    REQUIRE(story);
    CHECK(story->kind == StoryKind::Drafts);
    CHECK(story->headline == "A: 4 tokens proposed, 2 accepted.\nOne read gave 3 tokens.");
    CHECK(story->blocks == std::vector{BlockId(44)});
}

TEST_CASE("the sums of a draft, and what its tokens would have read one by one", "[drafts]") {
    Drafted run;
    run.verify();
    const RunView view = run.told.view();
    const RunHistory history = run.history();
    const List<RunDraft> drafts = drafts_of(view, history, run.a);
    REQUIRE(drafts.size() == 1);
    const DraftSums sums = sum_drafts(view, drafts);
    CHECK(sums.tokens == 3);
    CHECK(sums.rejected() == 2);
    CHECK(sums.own() == 1);
    CHECK(sums.bytes == 42'496 + 44 * 512);          // 65,024
    CHECK(sums.without == u64{40 + 41 + 42} * 512);  // 62,976
    CHECK(sums.bytes_per_token() == Catch::Approx(21'674.67));
    CHECK(sums.without_per_token() == 20'992);
    CHECK(sums.acceptance() == Catch::Approx(2.0 / 3));
    CHECK(history.keys_by_request(1) == 44);  // the query's 40, and one for each proposal
}

TEST_CASE("the cells of a column are always k + 1", "[drafts]") {
    for (std::uint32_t accepted = 0; accepted <= 4; ++accepted) {
        RunDraft draft;
        draft.k = 4, draft.accepted = accepted, draft.tokens = accepted + 1;
        draft.struck = accepted < 4 ? 1 : 0, draft.behind = 4 - accepted - draft.struck;
        const List<DraftPart> parts = parts_of(draft);
        CHECK(parts.size() == 5);
        CHECK(std::count(parts.begin(), parts.end(), DraftPart::Own) == 1);
        CHECK(std::count(parts.begin(), parts.end(), DraftPart::Accepted) == accepted);
    }
}

TEST_CASE("the newest columns stand where there is no room for all", "[drafts]") {
    std::vector<RunDraft> drafts(30);
    for (RunDraft& draft : drafts) draft.k = 3;
    const DraftColumns plan = plan_columns(drafts, 140, 100, 1);  // ten of 14 pixels
    CHECK(plan.count == 10);
    CHECK(plan.first == 20);
    CHECK(plan.most == 4);
    CHECK(plan.cell_h == 25);
}

TEST_CASE("tokens to be expected are 1 + a + ... + a^k", "[drafts]") {
    const auto expected = expected_by_k(0.5, 3);
    REQUIRE(expected.size() == 6);  // 0, 1, 2, 3, 4, 8
    CHECK(expected[0].tokens == 1);
    CHECK(expected[1].tokens == 1.5);
    CHECK(expected[3].tokens == 1.875);
    CHECK(expected[3].current);
    CHECK_FALSE(expected[4].current);
}

TEST_CASE("drafts lose where the batch is large and few are accepted", "[drafts]") {
    const auto map = plan_draft_map(default_bill(), 4, 64);
    REQUIRE(map);
    CHECK(map->at(0, map->acceptances.size() - 1) > 2);  // one request, most are right
    CHECK(map->at(map->batches.size() - 1, 0) < 1);
    for (std::size_t r = 0; r < map->batches.size(); ++r)
        for (std::size_t c = 1; c < map->acceptances.size(); ++c)
            CHECK(map->at(r, c) >= map->at(r, c - 1));
    for (std::size_t r = 1; r < map->batches.size(); ++r)
        CHECK(map->at(r, 0) <= map->at(r - 1, 0) + 1e-9);
}

TEST_CASE("the point of the roofline moves to the right as k grows", "[drafts][roofline]") {
    // 4 FLOP per byte with one query; (40), (40 + 41) / 41, (40 + 41 + 42) / 42, ... 44.
    CHECK(4 * queries_share(40, 0) == 4);
    CHECK(4 * queries_share(40, 1) == Catch::Approx(7.9).margin(0.05));
    CHECK(4 * queries_share(40, 2) == Catch::Approx(11.7).margin(0.05));
    CHECK(4 * queries_share(40, 4) == Catch::Approx(19.1).margin(0.05));
}

TEST_CASE("the setting of drafts is written as it was read", "[drafts][settings]") {
    for (const char* written : {"off", "ngram:3,k=4", "mqa,k=auto", "ngram:2,k=7"})
        CHECK(draft_choice(written).written() == written);
    CHECK(draft_choice("ngram:3").written() == "ngram:3,k=auto");
    CHECK(draft_choice("ngram:5,k=2").ngram() == 5u);
    const auto sources = draft_sources(draft_choice("ngram:5,k=2"), "gqa");
    REQUIRE(sources.size() == 4);  // off, ngram:5, mqa, mha
    CHECK(sources[1].written() == "ngram:5,k=2");
    CHECK(sources[2].written() == "mqa,k=2");
    CHECK(draft_sources({}, "llama").size() == 2);
    const auto lengths = draft_lengths(draft_choice("mqa,k=6"));
    REQUIRE(lengths.size() == 6);  // 1, 2, 4, 6, 8, adapted
    CHECK(lengths[3].k == 6u);
    CHECK_FALSE(lengths.back().k);
}

TEST_CASE("the box opens where rows and pool keep their room, and folds elsewhere",
          "[drafts][stage]") {
    StageNeeds needs{.unit = 1,
                     .spill = 16,
                     .block_size = 16,
                     .n_rows = 3,
                     .anchor = 2,
                     .n_others = 1,
                     .longest_other = 3,
                     .n_blocks = 48};
    const StagePlan plain = plan_stage({1000, 700}, needs);
    CHECK_FALSE(plain.draft_box);
    needs.has_draft = true;
    const StagePlan open = plan_stage({1000, 700}, needs);
    REQUIRE(open.draft_box);
    REQUIRE(open.draft_line);
    CHECK(open.draft_line->y >= open.chips.bottom() - 12);
    CHECK(open.draft_box->y >= open.draft_line->bottom());
    CHECK(open.strips.y >= open.draft_box->bottom());
    CHECK(open.pool.bottom() <= 700);
    const StagePlan folded = plan_stage({610, 284}, needs);  // Explore at 1280 x 720
    CHECK_FALSE(folded.draft_box);
    CHECK(folded.pool.h >= 40);
    needs.n_drafter = 12;
    const StagePlan two = plan_stage({1000, 800}, needs);
    REQUIRE(two.drafter);
    REQUIRE(two.drafter_lane);
    CHECK(two.drafter_head->y >= two.pool.bottom());
    CHECK(two.drafter->bottom() <= 800);
}

TEST_CASE("columns of the box that have no room are counted", "[drafts][stage]") {
    const DraftBoxPlan wide = plan_draft_box({0, 0, 900, 164}, 1, 4);
    CHECK(wide.n_columns == 4);
    CHECK(wide.left_out == 0);
    const DraftBoxPlan narrow = plan_draft_box({0, 0, 500, 164}, 1, 12);
    CHECK(narrow.n_columns + narrow.left_out == 12);
    CHECK(narrow.left_out > 0);
    CHECK(narrow.chip(2, narrow.n_columns - 1).right() <= narrow.reads_x);
    CHECK(wide.row_y(2) + wide.row_h <= 164);
}
