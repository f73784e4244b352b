// What the reader says to a step: its predictions and its exercises, kept from start to start.

#include <algorithm>
#include <utility>

#include "app/live/lessons/desk.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/exercises/answer_text.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

// "8.1 53 blocks": what stands before the first space, and the rest.
std::pair<std::string, std::string> first_and_rest(const std::string& words) {
    const std::size_t space = std::min(words.find(' '), words.size());
    return {words.substr(0, space), words.substr(std::min(space + 1, words.size()))};
}

// Takes an answer, which is graded once it has all its values.
void take_answer(AskedExercise& asked, const std::string& said) {
    asked.said = said;
    asked.graded.reset();
    if (!is_begun(asked.exercise, said)) asked.graded = grade(asked.exercise, said);
}

}  // namespace

std::string LessonDesk::step_name() const {
    return std::to_string(*view_.lesson) + ":" + view_.shown.id;
}

// What was said here before, graded anew: an exercise may have been corrected since.
void LessonDesk::recall_answers() {
    const LessonProgress& progress = progress_.progress();
    const auto predicted = progress.predicted.find(step_name());
    if (predicted != progress.predicted.end() &&
        predicted->second.size() == view_.predictions.size())
        for (std::size_t i = 0; i < view_.predictions.size(); ++i)
            if (!predicted->second[i].empty()) view_.predictions[i].said = predicted->second[i];
    for (TaskCard& card : view_.tasks)
        if (const auto done = progress.tasks.find(card.task.id); done != progress.tasks.end())
            card.record = done->second;
    for (AskedExercise& asked : view_.exercises) {
        const auto given = progress.answers.find(asked.exercise.id);
        if (given == progress.answers.end()) continue;
        const auto& [said, seed] = given->second;
        if (seed) asked = {.exercise = ask(asked.exercise.id, *seed), .seed = seed};
        take_answer(asked, said);
    }
}

void LessonDesk::keep_predictions() {
    LessonProgress progress = progress_.progress();
    std::vector<std::string>& said = progress.predicted[step_name()];
    said.clear();
    for (const AskedPrediction& asked : view_.predictions) said.push_back(asked.said.value_or(""));
    progress_.keep(std::move(progress));
}

void LessonDesk::keep_notes(const std::map<std::string, std::string>& notes) {
    if (notes == progress_.progress().notes) return;
    LessonProgress progress = progress_.progress();
    progress.notes = notes;
    progress_.keep(std::move(progress));
}

// Which prediction is answered, and with what. "2 57 blocks" answers the second: its first word is
// the number of one. All else answers the next open one, as a whole: "57 blocks" where there are
// fewer than 57, and "3" alone, which is its third choice.
std::pair<std::size_t, std::string> LessonDesk::which_prediction(const std::string& words) const {
    const auto [first, rest] = first_and_rest(words);
    const auto n = words == first ? std::nullopt : whole_number(first);
    if (n && *n >= 1 && *n <= view_.predictions.size())
        return {static_cast<std::size_t>(*n - 1), rest};
    return {view_.next_unanswered().value_or(view_.predictions.size() - 1), words};
}

// What a prediction keeps as said: the words, or the text of the choice that they number; nothing
// when an empty answer takes it back. What numbers no choice leaves it as it was.
std::optional<std::string> LessonDesk::what_was_said(const AskedPrediction& asked,
                                                     const std::string& words) {
    if (words.empty()) return std::nullopt;
    const std::vector<std::string>& choices = asked.prediction.choices;
    if (choices.empty()) return words;
    const auto n = whole_number(words);
    if (!n || *n < 1 || *n > choices.size()) return asked.said;
    return choices[static_cast<std::size_t>(*n - 1)];
}

void LessonDesk::say(const std::string& words) {
    if (view_.revealed || view_.predictions.empty()) return;
    const auto [at, said] = which_prediction(words);
    AskedPrediction& asked = view_.predictions[at];
    asked.said = what_was_said(asked, said);
    keep_predictions();
}

void LessonDesk::answer(const std::string& words) {
    const auto [id, said] = first_and_rest(words);
    AskedExercise& asked = exercise(id);
    take_answer(asked, said);
    LessonProgress progress = progress_.progress();
    progress.answers[asked.exercise.id] = {.said = said, .seed = asked.seed};
    progress_.keep(std::move(progress));
}

AskedExercise& LessonDesk::exercise(const std::string& id) {
    for (AskedExercise& asked : view_.exercises)
        if (asked.exercise.id == id) return asked;
    throw Refused("refused.lesson.exercise"_t, {{"word", shown(id)}});
}

}  // namespace kv
