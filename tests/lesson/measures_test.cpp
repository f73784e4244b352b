// Answers that take long are kept in a file: used for the very run that they were made from, and
// for no other.
#include "core/lesson/course/measures.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/lesson/small_lesson.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kProved = with(kStep, "shows: C040\n", "shows: C040\nexpect: proof().max == 0\n");

// What a player has measured who was told to know `measures`, and the expectations that broke.
struct Checked {
    Measures measured;
    std::vector<std::string> broken;
};
Checked check(const Measures& measures) {
    Stand stand;
    stand.player.know(measures);
    const Lesson lesson = stand.lesson(kProved);
    Checked checked;
    checked.broken = stand.player.broken_expects(lesson, lesson.steps[0]);
    checked.measured = stand.player.measured();
    return checked;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
}

}  // namespace

TEST_CASE("what was measured goes into a file and comes back", "[lesson][measures]") {
    const Checked first = check({});
    CHECK(first.broken.empty());
    REQUIRE_FALSE(first.measured.empty());
    const Measures kept = Measures::of(first.measured.text(), "measured.json");
    CHECK(kept.text() == first.measured.text());
    CHECK(kept.differences(first.measured).empty());
    CHECK(check(kept).measured.text() == first.measured.text());
}

TEST_CASE("a kept answer is used for its run alone", "[lesson][measures]") {
    const std::string text = check({}).measured.text();
    // Told that a logit was off by seven, the step believes it: nothing was computed again.
    const Measures other = Measures::of(replaced(text, "\"max\": 0.0", "\"max\": 7.0"), "m");
    CHECK(check(other).broken.size() == 1);
    // With another digest it is an answer of nobody, and the truth is computed.
    std::string digest = text.substr(text.find('"') + 1, 64);
    const Measures strange = Measures::of(
        replaced(replaced(text, "\"max\": 0.0", "\"max\": 7.0"), digest, std::string(64, '0')),
        "m");
    CHECK(check(strange).broken.empty());
}

TEST_CASE("the score of a challenge is kept for its scene alone, with its unit",
          "[lesson][measures]") {
    OneModel models;
    const LessonModel& model = models.model("");
    const Scene best = parse_scene(kScene, "best");
    Scene other = best;
    other.settings.block_size = 8;
    Measures measures;
    measures.take_score(model, best, "8.c1", {12'288, kBytes});
    const Measures kept = Measures::of(measures.text(), "measured.json");
    CHECK(kept.score(model, best, "8.c1") == Number{12'288, kBytes});
    CHECK_FALSE(kept.score(model, best, "9.c1"));
    CHECK_FALSE(kept.score(model, other, "8.c1"));
}

TEST_CASE("what a file lacks, has otherwise or keeps in vain is said", "[lesson][measures]") {
    const Measures now = check({}).measured;
    const Measures other = Measures::of(replaced(now.text(), "\"max\": 0.0", "\"max\": 7.0"), "m");
    REQUIRE(other.differences(now).size() == 1);
    CHECK_THAT(other.differences(now)[0], ContainsSubstring("has another answer to proof"));
    REQUIRE(Measures().differences(now).size() == 1);
    CHECK_THAT(Measures().differences(now)[0], ContainsSubstring("lacks the answer to proof"));
    CHECK_THAT(now.differences({})[0], ContainsSubstring("a run that no lesson has"));
}

TEST_CASE("a file that holds no measures is refused by name", "[lesson][measures]") {
    for (const char* text :
         {"", "[]", "{\"a\": 1}", "{\"a\": {\"b\": 1}}", "{\"a\": {\"b\": {\"c\": \"d\"}}}"}) {
        INFO(text);
        try {
            Measures::of(text, "lessons/measured.json");
            FAIL("let through");
        } catch (const Error& error) {
            CHECK_THAT(error.what(),
                       ContainsSubstring("lessons/measured.json") && ContainsSubstring("--renew"));
        }
    }
}
