#include "app/web/lesson_words.hpp"

#include "app/panels/lesson/prose.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

std::string filled(std::string_view text, std::initializer_list<Place> places) {
    const Text whole = fill(text, places);
    return {whole.begin(), whole.end()};
}

std::string_view kind_of(ProseBlock::Kind kind) {
    switch (kind) {
        case ProseBlock::Kind::Bullet:
            return "bullet";
        case ProseBlock::Kind::Row:
            return "row";
        case ProseBlock::Kind::Code:
            return "code";
        case ProseBlock::Kind::Text:
            break;
    }
    return "text";
}

Json span_words(const ShownSpan& span) {
    Json words{{"text", span.text}};
    if (span.kind != ShownSpan::Kind::Words) words["value"] = span.kind != ShownSpan::Kind::Link;
    if (!span.behind.empty()) words["behind"] = span.behind;
    if (span.link) words["does"] = commands_of(*span.link);
    return words;
}

Json prose_words(const ShownProse& prose) {
    Json blocks = Json::array();
    for (const ShownBlock& block : prose) {
        Json cells = Json::array();
        for (const auto& cell : block.cells) {
            Json& spans = cells.emplace_back(Json::array());
            for (const ShownSpan& span : cell) spans.push_back(span_words(span));
        }
        blocks.push_back({{"kind", kind_of(block.kind)}, {"cells", std::move(cells)}});
    }
    return blocks;
}

Json prediction_words(const Texts& text, const AskedPrediction& asked, std::size_t n) {
    const ShownPrediction& ask = asked.prediction;
    Json givens = Json::array();
    for (const ShownGiven& given : ask.givens)
        givens.push_back({{"label", given.label}, {"value", given.value}});
    Json words{{"legend", filled(text["page.prediction"_t], {{"n", with_commas(n)}})},
               {"question", ask.question},
               {"unit", ask.unit},
               {"givens", std::move(givens)},
               {"choices", ask.choices},
               {"said", asked.said.value_or("")},
               {"hint", asked.hinted ? prose_words(ask.hint) : Json()}};
    if (!asked.verdict) return words;
    words["right"] = asked.verdict->right;
    words["real"] = filled(text["page.real"_t], {{"answer", asked.verdict->real}});
    words["why"] = prose_words(ask.why);
    return words;
}

Json exercise_words(const Texts& text, const AskedExercise& asked) {
    const Exercise& exercise = asked.exercise;
    Json words{{"id", exercise.id},
               {"legend", filled(text["page.exercise"_t], {{"id", exercise.id}})},
               {"question", exercise.text},
               {"unit", unit_of(exercise)},
               {"choices", exercise.choices},
               {"said", asked.said},
               {"hint", asked.hinted ? exercise.hint : std::string()}};
    if (!asked.graded) return words;
    words["right"] = asked.graded->ok;
    words["note"] = asked.graded->note;
    if (asked.graded->slip)
        words["slip"] = filled(text["lesson.slip"_t], {{"slip", *asked.graded->slip}});
    return words;
}

std::string number_text(std::size_t n) {
    return with_commas(n);
}

}  // namespace

std::string lesson_place(const Texts& text, const LessonView& lesson) {
    const LessonHead* head = lesson.head();
    if (!lesson.lesson || head == nullptr) return {};
    return filled(text["page.lesson_place"_t], {{"n", number_text(head->number)},
                                                {"all", number_text(lesson.last_number())},
                                                {"step", number_text(lesson.step + 1)},
                                                {"steps", number_text(head->steps.size())}});
}

Json lesson_words(const Texts& text, const LessonView& lesson) {
    if (!lesson.lesson) return nullptr;
    Json words{{"number", *lesson.lesson},
               {"step", lesson.step + 1},
               {"revealed", lesson.revealed},
               {"may_reveal", lesson.has_more && lesson.may_reveal() && !lesson.revealed},
               {"text", prose_words(lesson.shown.text)}};
    words["then"] = lesson.revealed ? prose_words(lesson.shown.then) : Json();
    Json& predictions = words["predictions"] = Json::array();
    for (std::size_t i = 0; i < lesson.predictions.size(); ++i)
        predictions.push_back(prediction_words(text, lesson.predictions[i], i + 1));
    Json& exercises = words["exercises"] = Json::array();
    // Exercises stand behind the reveal, as in the window.
    if (lesson.revealed || !lesson.has_more)
        for (const AskedExercise& asked : lesson.exercises)
            exercises.push_back(exercise_words(text, asked));
    return words;
}

Json shelf_words(const Texts& text, const LessonView& lesson) {
    Json rows = Json::array();
    for (const LessonHead& head : lesson.shelf)
        rows.push_back(
            {{"number", head.number},
             {"title", filled(text["page.lesson_row"_t],
                              {{"n", number_text(head.number)}, {"title", head.title}})}});
    return rows;
}

}  // namespace kv
