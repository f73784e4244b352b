// The cache as a switch, and prompts that are longer than what a run can store.
#include <catch2/catch_test_macros.hpp>

#include "app/panels/stage/plan/prompt_words.hpp"
#include "app/panels/stage/plan/words.hpp"
#include "app/panels/view/facts.hpp"
#include "core/cost/time/flops.hpp"
#include "tests/live/desk.hpp"

using namespace kv;

namespace {

Text said(const List<SentencePiece>& pieces) {
    Text all;
    for (const SentencePiece& piece : pieces) all += piece.text;
    return all;
}

std::vector<std::uint32_t> tokens_of(const Desk& desk) {
    const auto& tokens = desk.now().requests[0].tokens;
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < tokens.size(); ++i) out.push_back(tokens[i]);
    return out;
}

std::string words(std::size_t n) {
    std::string text = "Greta";
    for (std::size_t i = 1; i < n; ++i) text += " key";
    return text;
}

}  // namespace

TEST_CASE("off, the same step has computed everything again and kept nothing; undo brings it back",
          "[live][cache_switch]") {
    Desk desk("first", 3);
    const std::vector<std::uint32_t> tokens = tokens_of(desk);
    REQUIRE(desk.now().requests[0].stored == 25);
    desk.ask("run.cache");
    CHECK(desk.view().settings.at("cache") == "off");
    CHECK(desk.now().iteration == 3);
    CHECK(desk.now().requests[0].stored == 0);
    CHECK(count_pool(desk.now()).used == 0);
    CHECK(tokens_of(desk) == tokens);
    CHECK(positions_computed(desk.view()) == positions_without_cache(23, 3));  // 23 + 24 + 25

    const Texts text;
    PromptWords prompt;
    prompt.follow(desk.view());
    CHECK(said(words_sentence(desk.view(), prompt, text)) ==
          "Nothing is kept: 72 positions computed so far, with a cache 25.");
    CHECK(said(now_sentence(desk.view(), desk.state.run.focus, text).pieces) ==
          "Step 3 is done, A computed 25 positions, 24 of them again, and kept nothing");

    desk.ask("run.undo_set");
    CHECK(desk.now().requests[0].stored == 25);
    CHECK(tokens_of(desk) == tokens);
    desk.ask("run.redo_set");
    CHECK_FALSE(keeps_cache(desk.view()));
    desk.ask("run.cache");
    CHECK(keeps_cache(desk.view()));
    CHECK(count_pool(desk.now()).used == 2);
}

TEST_CASE("a policy waits while the cache is off, and is there again with it",
          "[live][cache_switch]") {
    Desk desk("first", 3);
    desk.ask("run.set evict window:8");
    REQUIRE(desk.now().counters.tokens_dropped > 0);
    desk.ask("run.cache");
    CHECK(desk.view().settings.at("evict") == "window:8");
    CHECK(policy_of(desk.view()).policy == EvictionPolicy::None);
    CHECK(desk.now().counters.tokens_dropped == 0);
    desk.ask("run.cache");
    CHECK(desk.now().counters.tokens_dropped > 0);
}

TEST_CASE("an added prompt that can never be stored is refused before anything is computed",
          "[live][cache_switch]") {
    Desk desk("first", 1);
    const std::uint64_t positions = desk.view().model.max_positions;
    REQUIRE(positions > 100);
    CHECK_THROWS_AS(desk.ask("run.add " + words(100'000)), Error);
    CHECK_THROWS_AS(desk.ask("run.add " + words(positions)), Error);
    desk.ask("run.set pool 4blocks");  // 64 slots
    CHECK_THROWS_AS(desk.ask("run.add " + words(64)), Error);
    CHECK(desk.view().trace.end().requests.size() == 1);
    desk.ask("run.add " + words(20));
    desk.ask("run.forward");
    CHECK(desk.now().requests.size() == 2);
}
