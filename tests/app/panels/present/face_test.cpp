#include "app/panels/present/page/face.hpp"

#include <catch2/catch_test_macros.hpp>

#include "app/panels/present/notes/notes.hpp"
#include "core/lesson/exercises/shelf.hpp"

using namespace kv;

namespace {

ShownProse prose(const char* words) {
    ShownBlock block;
    block.cells = {{{ShownSpan::Kind::Words, words, {}, {}}}};
    return {block};
}

LessonView asked_lesson() {
    LessonView lesson;
    lesson.lesson = 8, lesson.has_more = true;
    lesson.shelf = {{8, 45, "Pages", {"walk", "next"}, {"From a token", "Which is next"}, {}}};
    lesson.shown.title = "From a token";
    lesson.shown.text = prose("text"), lesson.shown.then = prose("then");
    AskedPrediction asked;
    asked.prediction.question = "Which?";
    asked.prediction.choices = {"91", "17", "44"};
    asked.prediction.answer = "44";
    asked.prediction.why = prose("why"), asked.prediction.hint = prose("hint");
    lesson.predictions = {asked};
    return lesson;
}

void reveal(LessonView& lesson) {
    lesson.revealed = true;
    for (AskedPrediction& asked : lesson.predictions)
        asked.verdict = grade_prediction(asked.prediction, asked.said.value_or(""));
}

}  // namespace

TEST_CASE("a question shows its choices, and nothing of its answer", "[present_page]") {
    const Texts text;
    LessonView lesson = asked_lesson();
    const PageFace face = page_face(lesson, text);
    CHECK(face.state == PageState::Question);
    CHECK(face.headline == "Which?");
    CHECK(face.prose == &lesson.shown.text);
    REQUIRE(face.choices.size() == 3);
    for (const PageChoice& choice : face.choices) CHECK_FALSE((choice.chosen || choice.right));
    CHECK(face.has_reveal);
    CHECK_FALSE(face.may_reveal);
    CHECK(face.reveal_caption == "choose first: 1 to 3");
    CHECK(face.may_hint);
    CHECK(face.hint == nullptr);
    CHECK_FALSE(face.next_is_primary);
}

TEST_CASE("an answered question may be revealed, and is not judged before", "[present_page]") {
    const Texts text;
    LessonView lesson = asked_lesson();
    lesson.predictions[0].said = "17";
    lesson.predictions[0].hinted = true;
    const PageFace face = page_face(lesson, text);
    CHECK(face.state == PageState::Answered);
    CHECK(face.choices[1].chosen);
    CHECK_FALSE(face.choices[1].right);
    CHECK(face.may_reveal);
    CHECK(face.reveal_is_primary);
    CHECK(face.reveal_caption.empty());
    CHECK(face.hint == &lesson.predictions[0].prediction.hint);
    CHECK_FALSE(face.may_hint);
}

TEST_CASE("behind the reveal stand tick and cross, the reason, then what follows",
          "[present_page]") {
    const Texts text;
    LessonView lesson = asked_lesson();
    lesson.predictions[0].said = "17";
    reveal(lesson);
    PageFace face = page_face(lesson, text);
    CHECK(face.state == PageState::Revealed);
    CHECK(face.prose == &lesson.predictions[0].prediction.why);
    CHECK_FALSE(face.choices[0].right);  // neither chosen nor right
    CHECK(face.choices[1].right == false);
    CHECK(face.choices[2].right == true);
    CHECK(face.next_is_primary);
    CHECK_FALSE(face.has_reveal);
    CHECK(lesson.n_faces() == 2);

    lesson.face = 1;
    face = page_face(lesson, text);
    CHECK(face.state == PageState::Then);
    CHECK(face.headline == "From a token");
    CHECK(face.prose == &lesson.shown.then);
    CHECK(face.choices.empty());
}

TEST_CASE("behind the reveal a box shows what is real, and what was said beside it",
          "[present_page]") {
    const Texts text;
    LessonView lesson = asked_lesson();
    lesson.predictions[0].prediction.choices.clear();
    PageFace face = page_face(lesson, text);
    CHECK(face.is_written);
    CHECK(face.reveal_caption == "type the answer first");
    lesson.predictions[0].said = "45";
    face = page_face(lesson, text);
    CHECK(face.typed == "45");
    CHECK(face.beside.empty());
    reveal(lesson);
    face = page_face(lesson, text);
    CHECK(face.typed == "44");
    CHECK(face.typed_right == false);
    CHECK(face.beside == "you said 45; answer: 44");
    lesson.predictions[0].said.reset();
    reveal(lesson);
    face = page_face(lesson, text);
    CHECK(face.typed == "44");  // nobody said anything
    CHECK_FALSE(face.typed_right);
}

TEST_CASE("an exercise is a page of its own, its answer behind a key", "[present_page]") {
    const Texts text;
    LessonView lesson = asked_lesson();
    lesson.exercises = {{.exercise = fixed_exercise("8.1")}};
    CHECK(lesson.n_faces() == 1);  // first the question
    reveal(lesson);
    CHECK(lesson.n_faces() == 3);
    lesson.face = 2;
    REQUIRE(lesson.exercise_in_front() == 0u);
    PageFace face = page_face(lesson, text);
    CHECK(face.state == PageState::Exercise);
    CHECK(face.words == lesson.exercises[0].exercise.text);
    CHECK(face.typed.empty());
    CHECK(face.may_reveal);
    lesson.exercises[0].answered = true;
    face = page_face(lesson, text);
    CHECK(face.typed == expected_answer(lesson.exercises[0].exercise));
    CHECK_FALSE(face.has_reveal);
}

TEST_CASE("a page without a question is read, and shows what moves by a key", "[present_page]") {
    const Texts text;
    LessonView lesson = asked_lesson();
    lesson.predictions.clear();
    PageFace face = page_face(lesson, text);
    CHECK(face.state == PageState::Read);
    CHECK(face.has_reveal);
    CHECK(face.may_reveal);
    lesson.revealed = true;
    face = page_face(lesson, text);
    CHECK(face.state == PageState::Then);
    CHECK(face.next_is_primary);
    lesson.revealed = lesson.has_more = false;
    face = page_face(lesson, text);
    CHECK(face.state == PageState::Read);
    CHECK_FALSE(face.has_reveal);
    CHECK(face.next_is_primary);
}

TEST_CASE("who speaks knows what comes next", "[present_page][notes]") {
    const Texts text;
    LessonView lesson = asked_lesson();
    CHECK(next_page(lesson, text) == "Next: reveal");
    reveal(lesson);
    CHECK(next_page(lesson, text) == "Next page: From a token");
    lesson.face = 1;
    CHECK(next_page(lesson, text) == "Next page: Which is next");
    lesson.step = 1;
    CHECK(next_page(lesson, text) == "This is the last page.");
}

TEST_CASE("own notes stay with their page", "[notes]") {
    NotesUi notes{.text = "of the scene"};
    notes.keep();
    notes.turn_to("8:walk");
    notes.text = "say it twice";
    notes.keep();
    notes.text = "of the next scene";  // which brings its own
    notes.turn_to("8:next");
    CHECK(notes.text == "of the next scene");
    notes.keep();
    notes.turn_to("8:walk");
    CHECK(notes.text == "say it twice");
}
