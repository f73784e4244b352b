#include <catch2/catch_test_macros.hpp>

#include "core/lesson/course/given_away.hpp"

using namespace kv;

namespace {

ShownProse prose(const std::string& words) {
    return {{ProseBlock::Kind::Text, {{{ShownSpan::Kind::Words, words, {}, {}}}}}};
}

// A step whose one prediction is answered so.
ShownStep asking(const std::string& answer, const std::string& unit = "",
                 std::vector<std::string> choices = {}) {
    ShownStep step;
    step.title = "What a page holds";
    step.text = prose("A request comes, and then another one.");
    ShownPrediction p;
    p.question = "How much?", p.unit = unit, p.answer = answer, p.choices = std::move(choices);
    step.predictions.push_back(p);
    return step;
}

bool tells(ShownStep step, const std::string& text) {
    step.text = prose(text);
    return !given_away(step).empty();
}

}  // namespace

TEST_CASE("an answer may stand neither in title and text nor in what is given", "[lesson]") {
    CHECK(given_away(asking("1,539")).empty());
    CHECK(tells(asking("1,539"), "It takes 1,539 positions."));
    CHECK(tells(asking("1,539"), "It takes 1539."));

    ShownStep step = asking("29");
    step.title = "Twice 29";
    CHECK(given_away(step) ==
          std::vector<std::string>{
              "the answer \"29\" of \"How much?\" stands before it is asked for; take it "
              "out of title, text and what is given"});
    step = asking("29");
    step.predictions[0].givens = {{"blocks", "29 blocks"}};
    CHECK(given_away(step).size() == 1);
}

TEST_CASE("an answer inside a longer number or word is none", "[lesson]") {
    CHECK_FALSE(tells(asking("512"), "It is 1,512."));
    CHECK_FALSE(tells(asking("29"), "It is 29.5, or 29,000, or 129."));
    CHECK(tells(asking("29"), "It is 29, not 30."));
    CHECK(tells(asking("29"), "It is 29."));
    CHECK_FALSE(tells(asking("lock"), "A block."));
}

TEST_CASE("a small number is given away by its unit alone, in digits or as a word", "[lesson]") {
    CHECK_FALSE(tells(asking("3", "blocks"), "Step 3 of three."));
    CHECK(tells(asking("3", "blocks"), "It takes 3 blocks."));
    CHECK(tells(asking("3", "blocks"), "It takes Three blocks."));
}

TEST_CASE("a choice is given away where it stands alone", "[lesson]") {
    const std::vector<std::string> both{"with the cache", "without the cache"};
    CHECK_FALSE(tells(asking("with the cache", "", both), "With the cache, or without the cache."));
    CHECK(tells(asking("with the cache", "", both), "It is flat with the cache."));
    CHECK_FALSE(tells(asking("with the cache", "", both), "It is steep without the cache."));
}
