#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/lesson/course/lesson.hpp"
#include "core/lesson/course/prose.hpp"
#include "tests/lesson/lesson_file.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::string lesson_refusal(const std::string& text) {
    try {
        parse_lesson(text, "x/lesson.md");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool says(const std::string& sentence, const std::string& part) {
    return sentence.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a lesson is read with its front matter and its steps", "[lesson]") {
    const Lesson lesson = parse_lesson(kFront + kStep, "x/lesson.md");
    CHECK(lesson.number == 3);
    CHECK(lesson.title == "Bytes");
    CHECK(lesson.prerequisites == std::vector<std::uint32_t>{1, 2});
    CHECK(lesson.folder == "x");
    REQUIRE(lesson.sources.size() == 1);
    CHECK(lesson.sources[0].citation == "Somebody, arXiv 1234.56789");
    REQUIRE(lesson.steps.size() == 1);
    const LessonStep& step = lesson.steps[0];
    CHECK(step.id == "first");
    CHECK(step.opens == LessonMoment{LessonMoment::Kind::Iteration, 1, {}, {}});
    CHECK(step.ends == LessonMoment{LessonMoment::Kind::Iteration, 3, {}, {}});
    CHECK(step.checks == std::vector<std::string>{"C040"});
    REQUIRE(step.predictions.size() == 1);
    CHECK(step.predictions[0].unit == "tokens");
    // "It stores ", the number, " tokens in ", the link, "."
    REQUIRE(step.text.size() == 1);
    REQUIRE(step.text[0].cells[0].size() == 5);
    CHECK(step.text[0].cells[0][1].value->text == "A.stored");
    CHECK(step.text[0].cells[0][3].link->kind == LinkKind::Request);
}

TEST_CASE("a step goes on where the one before it ended", "[lesson]") {
    const Lesson lesson =
        parse_lesson(kFront + kStep + "\n## second: More\n\nto: 5\n\nIt goes on.\n", "lesson.md");
    REQUIRE(lesson.steps.size() == 2);
    CHECK(lesson.steps[1].scene == "run.kvscene");
    CHECK(lesson.steps[1].opens == lesson.steps[0].ends);
    CHECK(lesson.steps[1].ends.number == 5);
}

TEST_CASE("what is wrong with a lesson is said with file, line and rule", "[lesson]") {
    struct Spoilt {
        std::string from, to;
        std::uint32_t line;
        std::string rule;
    };
    const std::vector<Spoilt> all{
        {"number: 3", "number: three", 2, "is not a whole number"},
        {"title: Bytes", "heading: Bytes", 3, "\"heading\" in its front matter"},
        {"leaves out: Everything else.\n", "", 1, "lacks its \"leaves out\""},
        {"## first: The", "## The", 11, "a step without a name"},
        {"at: 1", "at: soon", 14, "the moment \"soon\""},
        {"at: 1", "at: 1 dance", 14, "the moment \"1 dance\""},
        {"shows: C040", "shows: C164", 16, "shows \"C164\""},
        {"A.stored == 7", "A.stored == ", 17, "ends where a value should stand"},
        {"It stores {A.stored}", "It stores 5", 19, "the typed quantity \"5\""},
        {"{A.stored} tokens", "`12 T` tokens", 19, "the typed quantity \"12\""},
        {"{A.stored} tokens", "{A.stored tokens", 19, "\"{\" without its \"}\""},
        {"{A.stored} tokens", "{A.stored | big} tokens", 19, "the format \"big\""},
        {"{A.stored} tokens", "{0.5 | %} tokens", 19, "the typed result \"0.5\""},
        {"(request:A)", "(thing:A)", 19, "links to \"thing:A\""},
        {"> answer: A.stored\n", "", 21, "a prediction without a question or an answer"},
        {"> answer: A.stored", "> choise: 1\n> answer: A.stored", 22,
         "\"choise: 1\" in a prediction"},
        {"answer: A.stored", "answer: 7", 22, "has the typed answer 7"},
        {"answer: A.stored", "answer: \"seven\"", 22, "has the typed answer \"seven\""},
        {"> unit: tokens", "> unitt: tokens", 23, "\"unitt: tokens\" in a prediction"},
        {"> unit: tokens", "> given: stored 5", 23, "the given \"stored 5\""},
        {"> unit: tokens", "> given: stored = 5", 23, "the typed quantity \"5\""},
        {"> unit: tokens", "> hint: It is 7.", 23, "the typed quantity \"7\""},
        {"shows: C040", "picture: dance(1)", 16, "the picture \"dance(1)\""},
        {"### Then", "### Later", 26, "the heading \"### Later\""},
        {"Now it stores {A.stored}.", "Now it stores 7.", 28, "the typed quantity \"7\""},
    };
    for (const Spoilt& spoilt : all) {
        const std::string sentence = lesson_refusal(with(kFront + kStep, spoilt.from, spoilt.to));
        CAPTURE(spoilt.to, sentence);
        CHECK(says(sentence, "x/lesson.md:" + std::to_string(spoilt.line) + ": "));
        CHECK(says(sentence, spoilt.rule));
    }
    CHECK(lesson_refusal(kFront + kStep).empty());
    CHECK(says(lesson_refusal("number: 1"), "does not begin with \"---\""));
    CHECK(says(lesson_refusal(kFront), "has no step"));
    CHECK(says(lesson_refusal(kFront + kStep + kStep), "two steps named \"first\""));
}

TEST_CASE("names may have digits in them, quantities may not be typed", "[lesson]") {
    for (const char* fine : {"INT8 and H2O", "arXiv", "BF16, FP8", "K and V", "x2", "one token"})
        CHECK(typed_quantity(fine).empty());
    CHECK(typed_quantity("has 5 blocks") == "5");
    CHECK(typed_quantity("about 1,024") == "1,024");
    CHECK(typed_quantity("the 7B model").empty());
    CHECK(typed_quantity("all 7 B") == "7");
    CHECK(typed_quantity("(3)") == "3");
}
