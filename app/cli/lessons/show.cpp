// A lesson as text: for readers, and the page of its teacher.

#include "app/cli/lessons/lessons.hpp"
#include "app/cli/lessons/tasks.hpp"
#include "core/base/numbers/text.hpp"
#include "core/lesson/code/shown_code.hpp"

namespace kv {
namespace {

std::string heading(const Lesson& lesson) {
    return "Lesson " + std::to_string(lesson.number) + ": " + lesson.title + "\n\n";
}

std::string predictions_of(const ShownStep& step) {
    std::string text;
    for (const ShownPrediction& p : step.predictions) {
        text += "\nPredict: " + p.question + "\n";
        for (std::size_t i = 0; i < p.choices.size(); ++i)
            text += "  " + std::to_string(i + 1) + ") " + p.choices[i] + "\n";
        text += "Answer: " + p.answer + (p.unit.empty() ? "" : " " + p.unit);
        for (const std::string& other : p.also_right) text += "; also " + other;
        text += "\n";
        if (!p.why.empty()) text += plain_text(p.why);
    }
    return text;
}

// The listing, and the lines of this program, each with its place.
std::string code_of(const ShownStep& step) {
    if (step.code == nullptr) return {};
    const ShownCode& code = shown_code(*step.code);
    std::string text = "\nCode: " + std::string(code.title) + "\n\n";
    for (const std::string& line : code.idea) text += line.empty() ? "\n" : "    " + line + "\n";
    for (const ShownExcerpt& excerpt : code.ours) {
        text += "\n" + place_of_excerpt(excerpt) + "\n";
        for (const SourceLine& line : excerpt.lines)
            text += line.text.empty() ? "\n" : "    " + line.text + "\n";
    }
    return text;
}

std::string fixed_of(const std::vector<std::string>& ids, const LessonExercises* exercises) {
    std::string text;
    for (const std::string& id : ids) {
        const auto fixed = exercises == nullptr ? std::nullopt : exercises->fixed(id);
        if (fixed)
            text += "\nExercise " + id + ": " + fixed->text + "\nAnswer: " + fixed->answer + "\n";
    }
    return text;
}

// The tasks of a step with what solves them, as a prediction is printed with its answer.
std::string tasks_of(const Lesson& lesson, const LessonStep& step, const ShownStep& shown,
                     LessonPlayer& player) {
    std::string text;
    for (std::size_t i = 0; i < step.tasks.size(); ++i)
        text += task_lines(shown.tasks[i]) + solution_words(lesson, step, step.tasks[i], player);
    return text;
}

// The same tasks with their solutions played.
std::string played_tasks_of(const Lesson& lesson, const LessonStep& step, const ShownStep& shown,
                            LessonPlayer& player) {
    std::string text;
    for (std::size_t i = 0; i < step.tasks.size(); ++i)
        text += task_lines(shown.tasks[i]) + solution_lines(lesson, step, step.tasks[i], player);
    return text;
}

std::string plain_list(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) text += "- " + item + "\n";
    return text;
}

}  // namespace

std::string lesson_text(const Lesson& lesson, LessonPlayer& player,
                        const LessonExercises* exercises) {
    std::string text = heading(lesson) + plain_list(lesson.objectives);
    std::size_t n = 0;
    for (const LessonStep& step : lesson.steps) {
        const ShownStep shown = player.shown_step(lesson, step);
        ++n;
        text += "\n" + std::to_string(n) + ". " + shown.title + "\n\n" + plain_text(shown.text);
        text += predictions_of(shown);
        if (!shown.then.empty()) text += "\n" + plain_text(shown.then);
        text += code_of(shown);
        text += fixed_of(shown.exercises, exercises);
        text += tasks_of(lesson, step, shown, player);
    }
    text += "\nWhat this lesson leaves out\n\n" + plain_text(player.leaves_out(lesson));
    if (!lesson.sources.empty()) text += "\nSources\n\n";
    for (const LessonSource& source : lesson.sources)
        text += "- " + source.name + ": " + source.citation + "\n";
    return text;
}

std::string teacher_page(const Lesson& lesson, LessonPlayer& player,
                         const LessonExercises* exercises) {
    std::string text = heading(lesson) + counted(lesson.minutes, "minute");
    if (!lesson.prerequisites.empty()) {
        text += ", after lesson";
        for (const std::uint32_t number : lesson.prerequisites)
            text += " " + std::to_string(number);
    }
    text += ".\n\nObjectives\n\n" + plain_list(lesson.objectives) + "\nStep by step\n";
    std::size_t n = 0;
    for (const LessonStep& step : lesson.steps) {
        const ShownStep shown = player.shown_step(lesson, step);
        ++n;
        text += "\n" + std::to_string(n) + ". " + shown.title + "  (kvarium --lesson " +
                std::to_string(lesson.number) + " --step " + std::to_string(n) + ")\n";
        text += predictions_of(shown);
        text += played_tasks_of(lesson, step, shown, player);
        if (!shown.notes.empty()) text += "\nSay: " + plain_text(shown.notes);
    }
    if (exercises != nullptr)
        text += "\nAnswer key of the fixed instances\n" +
                fixed_of(exercises->of_lesson(lesson.number), exercises);
    return text;
}

}  // namespace kv
