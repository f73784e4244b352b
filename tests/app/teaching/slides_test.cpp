// Lessons as slides: a question without its answer, then the answer; one file that needs nothing
// else; a picture that would tell is left out.

#include "app/cli/teaching/slides.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "app/cli/teaching/html.hpp"
#include "app/cli/terminal/places.hpp"
#include "core/base/error.hpp"
#include "core/lesson/course/shelf.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;
using test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kSmallScene = R"({"version":1,"name":"small","seed":1,"model":{"name":"gqa"},
 "settings":{"block_size":4,"pool":"16blocks","backend":"reference"},
 "requests":[{"id":"A","arrive":0,"prompt":"Mia put the key","max_new":4}]})";

constexpr const char* kSlideLesson = R"(---
number: 1
title: Small & <sharp>
minutes: 5
objective: Count the blocks.
source paper: Somebody, "A paper"
leaves out: All but the blocks.
---

## one: What is there

scene: small.kvscene
at: 1
figure: bars title="Bars", how="Two of them.", names=["first", "second"], values=[3, 7777], open=1

Request A has {A.blocks} blocks, and that is a sentence which is long enough. This one comes second, and it is so long that no slide would have the room for it beneath a picture that is meant to be seen from the back row of a hall.

> predict: How large is the second?
> given: first = {3}
> choice: 7777
> choice: 5555
> answer: blocks_for(31105, 4)
> unit: B
> hint: Larger.
> why: It was chosen so.

### Then

Behind it.

### Teacher

Say it slowly.

## two: The tank

scene: small.kvscene
at: 1
to: 2
panels: stage

The tank, at a moment that is not the last one.

> predict: How many blocks are used?
> answer: before(pool.used)
> unit: blocks
> why: Count.

## three: Nothing asked

scene: small.kvscene
at: 2
panels: stage

Nothing is asked here, and this sentence says so at a length that is enough.
)";

struct SlideCourse {
    ScratchFolder folder;
    LessonShelf shelf;
    SlideCourse() {
        const fs::path lesson = folder.path() / "01-small";
        fs::create_directories(lesson);
        std::ofstream(lesson / "lesson.md", std::ios::binary) << kSlideLesson;
        std::ofstream(lesson / "small.kvscene", std::ios::binary) << kSmallScene;
        shelf = read_shelf(folder.path().string());
    }
    std::vector<Slide> slides() {
        SlideScreen screen(folder.path().string());
        return screen.slides_of(shelf.lessons.front());
    }
};

std::size_t parts_in(const std::string& text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

}  // namespace

TEST_CASE("a question has a slide without its answer, and one with it", "[slides]") {
    SlideCourse course;
    const std::vector<Slide> slides = course.slides();
    REQUIRE(slides.size() >= 6);
    CHECK(slides.front().kind == SlideKind::Title);
    CHECK(slides.back().kind == SlideKind::End);
    CHECK_THAT(slides.back().words, ContainsSubstring("A paper"));

    const Slide& asks = slides[1];
    CHECK(asks.kind == SlideKind::Asks);
    CHECK(asks.place == "step 1 of 3");
    CHECK_THAT(asks.words, ContainsSubstring("How large is the second?"));
    CHECK_THAT(asks.words, ContainsSubstring("7,777"));  // one of the choices
    CHECK_THAT(asks.words, ContainsSubstring("5,555"));
    CHECK_FALSE(asks.picture.empty());
    CHECK(asks.picture.find("7,777") == std::string::npos);
    CHECK_THAT(asks.notes, ContainsSubstring("Say it slowly."));
    CHECK_THAT(asks.notes, ContainsSubstring("This one comes second"));
    CHECK(asks.notes.find("It was chosen so.") == std::string::npos);

    const Slide& answers = slides[2];
    CHECK(answers.kind == SlideKind::Answers);
    CHECK_THAT(answers.words, ContainsSubstring("7,777 B"));
    CHECK_THAT(answers.words, ContainsSubstring("It was chosen so."));
    CHECK_THAT(answers.picture, ContainsSubstring("7,777"));
    CHECK_THAT(answers.notes, ContainsSubstring("Behind it."));
}

TEST_CASE("a step without a question says its first sentences", "[slides]") {
    SlideCourse course;
    const std::vector<Slide> slides = course.slides();
    const Slide& told = slides[slides.size() - 2];
    CHECK(told.kind == SlideKind::Shows);
    CHECK_THAT(told.words, ContainsSubstring("Nothing is asked here"));
    CHECK_FALSE(told.picture.empty());
}

TEST_CASE("the first sentences of a step are long enough, and no longer", "[slides]") {
    const auto prose = [](const char* words) {
        ShownSpan span;
        span.text = words;
        return ShownProse{{ProseBlock::Kind::Text, {{span}}}};
    };
    CHECK(first_sentences(
              prose("Short. And a second one, which says what the first left out. Third."), 60) ==
          "Short. And a second one, which says what the first left out.");
    CHECK(first_sentences(prose("It is 3.5 long"), 60) == "It is 3.5 long");
    CHECK(first_sentences({}, 60).empty());
}

TEST_CASE("a picture that tells the answer is noticed, a name of a block is not", "[slides]") {
    ShownStep step;
    ShownPrediction p;
    p.question = "How many?", p.answer = "21", p.unit = "blocks";
    step.predictions = {p};
    CHECK(gives_away("<text x=\"1\">8 run, 21 of 24 blocks used</text>", step));
    CHECK_FALSE(gives_away("<text x=\"1\">21</text>", step));
    CHECK_FALSE(gives_away("<text x=\"1\">8 run</text>", step));
    step.predictions.front().answer = "1,210";
    CHECK(gives_away("<text x=\"1\">1,210</text>", step));
}

TEST_CASE("slides are one page that asks nobody for anything", "[slides]") {
    SlideCourse course;
    const std::vector<Slide> slides = course.slides();
    const std::string page = slides_html(course.shelf.lessons.front(), slides);
    CHECK(slides_html(course.shelf.lessons.front(), course.slides()) == page);
    CHECK_THAT(page, ContainsSubstring("<title>1. Small &amp; &lt;sharp&gt;</title>"));
    CHECK(page.find("<sharp>") == std::string::npos);
    CHECK(parts_in(page, "<section class=\"slide") == slides.size());
    CHECK(parts_in(page, "<aside>") == slides.size());
    // The name of what a drawing is written in is no address that is asked for.
    CHECK(parts_in(page, "http") == parts_in(page, "xmlns=\"http://www.w3.org/2000/svg\""));
    for (const char* loads : {" src=", "<link", "@import", "href=\"http", "url(http"})
        CHECK(page.find(loads) == std::string::npos);

    std::set<std::string> ids;
    const std::regex id(" id=\"([^\"]+)\"");
    for (auto it = std::sregex_iterator(page.begin(), page.end(), id); it != std::sregex_iterator();
         ++it)
        CHECK(ids.insert((*it)[1]).second);
    const std::regex use("url\\(#([^)]+)\\)");
    for (auto it = std::sregex_iterator(page.begin(), page.end(), use);
         it != std::sregex_iterator(); ++it)
        CHECK(ids.contains((*it)[1]));
}

TEST_CASE("no slide of the course tells an answer before it is asked for", "[slides][slow]") {
    const LessonShelf shelf = read_shelf(lessons_folder().string());
    SlideScreen screen(lessons_folder().string());
    std::size_t questions = 0;
    for (const Lesson& lesson : shelf.lessons) {
        INFO("lesson " << lesson.number);
        const std::vector<Slide> slides = screen.slides_of(lesson);
        std::set<std::string> steps;
        for (std::size_t i = 0; i < slides.size(); ++i) {
            const Slide& slide = slides[i];
            INFO("slide " << i + 1 << ", step " << slide.step);
            if (!slide.step.empty()) steps.insert(slide.step);
            CHECK_FALSE(slide.words.empty());
            if (slide.kind != SlideKind::Asks) continue;
            ++questions;
            REQUIRE(i + 1 < slides.size());
            CHECK(slides[i + 1].kind == SlideKind::Answers);
            CHECK(slide.words.find("class=\"answer") == std::string::npos);
        }
        CHECK(steps.size() == lesson.steps.size());
    }
    CHECK(questions > 100);
}
