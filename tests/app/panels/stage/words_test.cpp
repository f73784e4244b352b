// What the Stage says of a sentence: its words, their pieces, and what to try next.
#include "app/panels/stage/plan/words.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/panels/stage/plan/chips.hpp"
#include "app/panels/stage/plan/prompt_words.hpp"
#include "app/panels/stage/plan/try_next.hpp"
#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

Scene own_sentence() {
    Scene scene = scene_named("first");
    scene.name = std::string(kOwnScene);
    scene.requests[0].prompt = "My cat hid the key in the barn. Where is the key?";
    return scene;
}

Text said(const List<SentencePiece>& pieces) {
    Text all;
    for (const SentencePiece& piece : pieces) all += piece.text;
    return all;
}

struct Told {
    explicit Told(Scene scene) : played(std::move(scene)) {}
    void to_iteration(std::uint32_t n) {
        while (played.session.now().iteration < n) played.session.forward(Granularity::Iteration);
    }
    PromptWords words() {
        PromptWords words;
        words.follow(played.view());
        return words;
    }
    Text sentence() { return said(words_sentence(played.view(), words(), Texts())); }
    PlayedRun played;
};

}  // namespace

TEST_CASE("the first line of an own sentence counts words, tokens and pages", "[stage][words]") {
    Told own(own_sentence());
    own.to_iteration(1);
    CHECK(own.sentence() == "Your 12 words are 19 tokens, stored in 2 pages.");
    own.to_iteration(2);
    CHECK(own.sentence() == "Your 19 tokens and 2 new: 20 are stored, in 2 pages.");
    own.played.session.to_end();
    CHECK(own.sentence().view().ends_with(
        "new: the request has ended, and its pages are given back."));
}

TEST_CASE("a scene that is nobody's own says the same without calling it so", "[stage][words]") {
    Told first(scene_named("first"));
    first.to_iteration(1);
    CHECK(first.sentence() == "18 words are 23 tokens, stored in 2 pages.");
    Told several(scene_named("explore"));
    several.to_iteration(40);
    REQUIRE(several.played.session.try_to_iteration(1) == Moved::Yes);
    CHECK(several.sentence().empty());
}

TEST_CASE("a word in pieces has a span under its chips in every line that shows some",
          "[stage][words]") {
    Told own(own_sentence());
    own.to_iteration(1);
    const PromptWords words = own.words();
    REQUIRE(words.has_pieces());
    StageNeeds needs{.n_rows = 2, .n_blocks = 48, .has_words = true, .has_pieces = true};
    const StagePlan plan = plan_stage({588, 440}, needs);
    REQUIRE(plan.pieces);
    CHECK(plan.per_line == 8);
    const RunView run = own.played.view();
    const List<PieceSpan> spans = piece_spans(plan, run.lane(), words);
    REQUIRE(spans.size() == 2);
    CHECK(words.words()[spans[0].word].word == "My");
    CHECK(words.words()[spans[1].word].word == "hid");
    CHECK(words.words()[spans[1].word].n == 4);
    // Tokens 4 to 7: the second half of the first line.
    CHECK(spans[1].chips.x == plan.chip(plan.rows[0], 4).x);
    CHECK(spans[1].chips.right() == plan.chip(plan.rows[0], 7).right());
    CHECK(spans[1].named);
}

TEST_CASE("a page of 16 folds into two lines where its chips would be narrow", "[stage][words]") {
    StageNeeds needs{.n_rows = 2, .n_blocks = 48};
    const StagePlan narrow = plan_stage({588, 440}, needs);
    CHECK(narrow.lines() == 2);
    const StageRow& row = narrow.rows[0];
    CHECK(narrow.chip(row, 8).x == narrow.chip(row, 0).x);
    CHECK(narrow.chip(row, 8).y == narrow.chip(row, 0).y + narrow.line_pitch);
    CHECK(narrow.whole_row(row).bottom() == narrow.chip(row, 15).bottom());
    CHECK(std::abs(narrow.whole_row(row).center().y - narrow.physical(row).center().y) <= 0.5f);
    CHECK(narrow.whole_row(narrow.rows[0]).bottom() < narrow.rows[1].y);
    CHECK(plan_stage({830, 500}, needs).lines() == 1);
    needs.n_rows = 40;  // folding would take rows away
    CHECK(plan_stage({588, 440}, needs).lines() == 1);
}

TEST_CASE("blocks keep their places while the room of the pool changes", "[stage]") {
    const PoolGrid first = fit_pool({0, 0, 590, 180}, 48, 1);
    for (int height = 60; height <= 400; height += 20) {
        const auto h = static_cast<float>(height);
        const PoolGrid later = fit_pool({0, 0, 590, h}, 48, 1, first.columns);
        CHECK(later.columns == first.columns);
        CHECK(later.cell(47).bottom() <= h);
    }
}

TEST_CASE("three steps to try, each a command, and for one's own sentence alone",
          "[stage][words]") {
    Told own(own_sentence());
    const Texts text;
    const List<TryStep> steps = try_next(own.played.view(), text);
    REQUIRE(steps.size() == 3);
    CHECK(steps[0].command == CommandId("run.forward"));
    CHECK(steps[1].label == "Pages of 4");
    CHECK(steps[1].argument == "block_size 4");
    CHECK(steps[2].label == "Remember only 8");
    CHECK(steps[2].argument == "evict window:8");
    Told first(scene_named("first"));
    CHECK(try_next(first.played.view(), text).empty());
}

TEST_CASE("inside a step a bar grows layer by layer, and the slots fill with it", "[stage]") {
    Told own(own_sentence());
    own.to_iteration(1);
    StageFacts facts;
    std::uint32_t layers = 0;
    while (own.played.session.now().iteration < 2 || layers < 4) {
        own.played.session.forward(Granularity::Operation);
        const RunView run = own.played.view();
        const auto& operation = run.now.operation;
        if (!operation || operation->op != Op::Append) continue;
        ++layers;
        facts.follow(run);
        CHECK(layers_written(run) == layers);
        CHECK(facts.is_writing());
        CHECK(facts.written_share() == static_cast<float>(layers) / 4);
        const Chip chip = chip_of(run.lane(), facts, {SeqId(0), 19});
        CHECK(chip.has_bar);
        CHECK(chip.bar == static_cast<float>(layers) / 4);
    }
    CHECK(layers == 4);
}

TEST_CASE("the sentence at the cursor says which of its pieces is a token", "[stage][words]") {
    Told first(scene_named("first"));
    CHECK_FALSE(now_sentence(first.played.view(), {}, Texts()).word);
    first.to_iteration(1);
    const RunView run = first.played.view();
    const NowSentence now = now_sentence(run, {}, Texts());
    REQUIRE(now.word);
    const RequestView& request = run.now.requests[0];
    CHECK(now.pieces[*now.word].is_value);
    CHECK(now.pieces[*now.word].text == bare_word(run.word(request.tokens[request.stored])));
    CHECK(now.pieces[*now.word + 1].text == " comes next");
}
