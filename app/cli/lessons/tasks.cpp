#include "app/cli/lessons/tasks.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using TaskJson = nlohmann::ordered_json;

std::string joined_with(const std::vector<std::string>& all, const std::string& between) {
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : between) + one;
    return text;
}

std::string solution_head(const LessonTask& task, const std::string& score) {
    return std::string(task.is_challenge() ? "Best known" : "Solution") +
           (score.empty() ? "" : ", " + score) + ": ";
}

std::string words_of(const std::vector<TankDeed>& deeds) {
    std::vector<std::string> words;
    words.reserve(deeds.size());
    for (const TankDeed& deed : deeds) words.push_back(deed.words);
    return joined_with(words, " ; ");
}

std::string when_done(const ShownTask& task) {
    if (task.within == 0) return "when all of it holds for what What if is asked";
    return task.at_end ? "when the run ends, within " + counted(task.within, "iteration")
                       : "at one moment of " + counted(task.within, "iteration");
}

// The conditions that do not hold where the run came nearest, or at its end.
std::string what_is_open(const LessonTask& task, const ShownTask& shown_task,
                         const TaskGrade& grade) {
    if (task.at_end && !grade.ended)
        return "The run has not ended after " + counted(task.within, "iteration") + ".";
    const TaskMoment* nearest = grade.moments.empty() ? nullptr : &grade.moments.back();
    const auto held = [](const TaskMoment& m) {
        std::size_t n = 0;
        for (const ConditionNow& c : m.conditions) n += c.holds ? 1 : 0;
        return n;
    };
    if (!task.at_end)
        for (const TaskMoment& moment : grade.moments)
            if (held(moment) > held(*nearest)) nearest = &moment;
    if (nearest == nullptr) return "Nothing was run.";
    std::vector<std::string> open;
    for (std::size_t i = 0; i < nearest->conditions.size(); ++i)
        if (const ConditionNow& c = nearest->conditions[i]; !c.holds)
            open.push_back(shown_task.conditions[i] +
                           (c.now.empty() ? "" : " (it is " + c.now + ")"));
    return "Not yet: " + joined_with(open, "; ") + ".";
}

}  // namespace

FoundTask task_named(const LessonShelf& shelf, const std::string& id, const std::string& place) {
    for (const Lesson& lesson : shelf.lessons)
        for (std::size_t i = 0; i < lesson.steps.size(); ++i)
            for (const LessonTask& task : lesson.steps[i].tasks)
                if (task.id == id) return {&lesson, i, &task};
    throw Error(ErrorCode::World, shown(place) + ": \"" + shown(id) +
                                      "\" is no task; kvarium lessons --show N prints those "
                                      "of lesson N.");
}

std::string task_lines(const ShownTask& task) {
    std::string text = (task.is_challenge ? "\nChallenge " : "\nTask ") + task.id + ": " +
                       plain_line(task.text) + "\n";
    for (const std::string& condition : task.conditions) text += "  [ ] " + condition + "\n";
    if (task.is_challenge)
        text += "Score: " + task.score + ", " + (task.lower_is_better ? "lower" : "higher") +
                " is better\n";
    return text + "Done: " + when_done(task) + "\nAllowed: " + joined_with(task.allow, ", ") + "\n";
}

std::string solution_words(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                           LessonPlayer& player) {
    const std::string score =
        task.is_challenge() ? player.best_score(lesson, step, task) : std::string();
    return solution_head(task, score) + words_of(task.solution) + "\n";
}

std::string solution_lines(const Lesson& lesson, const LessonStep& step, const LessonTask& task,
                           LessonPlayer& player) {
    const GradedTask best = player.grade_deeds(lesson, step, task, task.solution);
    return solution_head(task, best.score) + words_of(task.solution) + "\n" + plain_text(best.why);
}

std::string task_json(const ShownTask& task) {
    TaskJson json{{"id", task.id},
                  {"challenge", task.is_challenge},
                  {"text", plain_line(task.text)},
                  {"conditions", task.conditions},
                  {"allow", task.allow},
                  {"done", when_done(task)},
                  {"hint", plain_line(task.hint)}};
    if (task.is_challenge) {
        json["score"] = task.score;
        json["better"] = task.lower_is_better ? "lower" : "higher";
    }
    return json.dump(-1, ' ', false, TaskJson::error_handler_t::replace);
}

namespace {

// Commands over a recording, "whatif.host 16 ; whatif.codec int8", as an answer has them.
RecordingAsk ask_of_answer(const std::string& id, const std::string& words) {
    constexpr std::string_view kThen = " ; ";
    RecordingAsk ask;
    for (std::size_t at = 0; at <= words.size();) {
        const std::size_t end = std::min(words.find(kThen, at), words.size());
        if (const std::string why = carry_out(words.substr(at, end - at), ask); !why.empty())
            throw Error(ErrorCode::World, "The answer to " + id + ", \"" + shown(words) + "\", " +
                                              why + "; separate commands by \" ; \".");
        at = end + kThen.size();
    }
    return ask;
}

}  // namespace

TaskVerdict grade_task(const FoundTask& found, LessonPlayer& player, const std::string& answer,
                       const std::filesystem::path& folder) {
    const Lesson& lesson = *found.lesson;
    const LessonStep& step = found.where();
    const LessonTask& task = *found.task;
    const auto graded = [&](const std::vector<TankDeed>& deeds) {
        return player.grade_deeds(lesson, step, task, deeds);
    };
    TaskVerdict verdict;
    verdict.id = task.id;
    const GradedTask done =
        step.recording
            ? player.grade_task(lesson, step, task, ask_of_answer(task.id, answer))
            : player.grade_task(lesson, step, task, read_scene((folder / answer).string()));
    verdict.ok = done.is_done();
    if (!done.refused.empty()) {
        verdict.note = done.refused;
    } else if (done.is_done()) {
        verdict.note = plain_line(done.why);
    } else {
        const ShownStep shown = player.shown_step(lesson, step);
        for (const ShownTask& one : shown.tasks)
            if (one.id == task.id) verdict.note = what_is_open(task, one, done.grade);
    }
    if (!task.is_challenge()) return verdict;
    const GradedTask best = graded(task.solution), nothing = graded({});
    verdict.score = done.score, verdict.best = best.score, verdict.nothing = nothing.score;
    if (!verdict.ok || !done.grade.score || !nothing.grade.score) return verdict;
    verdict.ok = is_better(rules_of(task), *done.grade.score, *nothing.grade.score);
    if (!verdict.ok) verdict.note = "This is no better than doing nothing.";
    return verdict;
}

}  // namespace kv
