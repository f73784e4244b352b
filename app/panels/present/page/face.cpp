#include "app/panels/present/page/face.hpp"

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

void add_choices(PageFace& face, const AskedPrediction& asked) {
    for (const std::string& choice : asked.prediction.choices) {
        PageChoice one{choice, asked.said == choice, {}};
        if (asked.verdict) {
            const bool is_answer = choice == asked.verdict->real;
            if (is_answer || one.chosen) one.right = is_answer;
        }
        face.choices.push_back(std::move(one));
    }
    face.is_written = asked.prediction.choices.empty();
    face.typed = asked.said.value_or("");
}

void add_number(PageFace& face, const LessonView& lesson, std::size_t at, const Texts& text) {
    if (lesson.predictions.size() < 2) return;
    face.above =
        fill(text["lesson.page.question"_t],
             {{"n", with_commas(at + 1)}, {"all", with_commas(lesson.predictions.size())}});
}

PageFace question(const LessonView& lesson, std::size_t at, const Texts& text) {
    const AskedPrediction& asked = lesson.predictions[at];
    PageFace face;
    const bool is_answered = !lesson.next_unanswered();
    face.state = is_answered ? PageState::Answered : PageState::Question;
    face.prediction = at;
    face.headline = asked.prediction.question;
    face.prose = &lesson.shown.text;
    if (asked.hinted) face.hint = &asked.prediction.hint;
    add_choices(face, asked);
    add_number(face, lesson, at, text);
    face.has_reveal = true, face.may_reveal = lesson.may_reveal();
    face.reveal_is_primary = face.may_reveal;
    if (!face.may_reveal)
        face.reveal_caption = face.is_written ? Text(text["lesson.page.choose.written"_t])
                                              : fill(text["lesson.page.choose"_t],
                                                     {{"n", with_commas(face.choices.size())}});
    face.has_hint = !asked.prediction.hint.empty(), face.may_hint = lesson.may_hint();
    return face;
}

// Adds a verdict: in the box stands what is real, beside it what was said.
void add_verdict(PageFace& face, const AskedPrediction& asked, const Texts& text) {
    const GradedPrediction& verdict = *asked.verdict;
    face.typed = verdict.real;
    if (verdict.said.empty()) return;
    face.typed_right = verdict.right;
    face.beside = fill(text[verdict.right ? "lesson.said.right"_t : "lesson.said.wrong"_t],
                       {{"said", verdict.said}, {"real", verdict.real}});
}

PageFace revealed(const LessonView& lesson, std::size_t at, const Texts& text) {
    const AskedPrediction& asked = lesson.predictions[at];
    PageFace face;
    face.state = PageState::Revealed;
    face.prediction = at;
    face.headline = asked.prediction.question;
    face.prose = &asked.prediction.why;
    add_choices(face, asked);
    add_number(face, lesson, at, text);
    if (face.is_written && asked.verdict) add_verdict(face, asked, text);
    face.next_is_primary = true;
    return face;
}

PageFace exercise(const AskedExercise& asked, const Texts& text) {
    PageFace face;
    face.state = PageState::Exercise;
    face.headline = fill(text["lesson.page.exercise"_t], {{"id", asked.exercise.id}});
    face.words = asked.exercise.text;
    if (asked.hinted) face.hint_words = asked.exercise.hint;
    face.is_written = true;
    if (asked.answered) face.typed = expected_answer(asked.exercise);
    face.has_reveal = !asked.answered, face.may_reveal = face.reveal_is_primary = face.has_reveal;
    face.has_hint = !asked.exercise.hint.empty(), face.may_hint = face.has_hint && !asked.hinted;
    face.next_is_primary = asked.answered;
    return face;
}

// A task is read here; it is done in the tank, which is not this picture.
PageFace task_face(const TaskCard& card, const Texts& text) {
    PageFace face;
    face.state = PageState::Read;
    face.headline = fill(text[card.task.is_challenge ? "task.head.challenge"_t : "task.head"_t],
                         {{"id", card.task.id}});
    face.prose = &card.whole;
    face.next_is_primary = true;
    return face;
}

}  // namespace

PageFace page_face(const LessonView& lesson, const Texts& text) {
    if (const auto at = lesson.asks()) return question(lesson, *at, text);
    if (const auto at = lesson.reason_in_front()) return revealed(lesson, *at, text);
    if (const auto at = lesson.exercise_in_front()) return exercise(lesson.exercises[*at], text);
    if (const auto at = lesson.task_in_front()) return task_face(lesson.tasks[*at], text);
    PageFace face;
    face.state = lesson.shows_then() ? PageState::Then : PageState::Read;
    face.headline = lesson.shown.title;
    const bool then = lesson.shows_then() && !lesson.shown.then.empty();
    face.prose = then ? &lesson.shown.then : &lesson.shown.text;
    face.has_reveal = lesson.has_more && !lesson.revealed;
    face.may_reveal = face.reveal_is_primary = face.has_reveal && lesson.may_reveal();
    face.next_is_primary = !face.has_reveal;
    return face;
}

}  // namespace kv
