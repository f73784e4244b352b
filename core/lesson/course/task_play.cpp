// Tasks on their scenes: where they start, what a scene is worth as their answer, and what is wrong
// with them.

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/course/player.hpp"
#include "core/lesson/scene/branch.hpp"
#include "core/lesson/tasks/changes.hpp"

namespace kv {
namespace {

// Whoever grades scenes of others does not give each of them all of the memory.
constexpr u64 kMostTaskPool = 256u << 20;  // bytes

std::string place_of_task(const Lesson& lesson, const LessonTask& task) {
    return shown(lesson.file) + ":" + std::to_string(task.line) + ": ";
}

[[noreturn]] void refuse_deed(const Lesson& lesson, const LessonTask& task, const TankDeed& deed,
                              const std::string& why) {
    throw Error(ErrorCode::World, place_of_task(lesson, task) + "the command \"" +
                                      shown(deed.words) + "\" of a task cannot be done: " + why +
                                      "; correct it.");
}

std::string words_of_deeds(const std::vector<TankDeed>& deeds) {
    std::string words;
    for (const TankDeed& deed : deeds) words += (words.empty() ? "" : " ; ") + deed.words;
    return words;
}

std::string pool_refusal(const ModelConfig& config, const EngineSettings& settings) {
    if (auto why = codec_refusal(config, settings)) return *why;
    const u64 block = bytes_per_block(config, settings);
    const auto blocks = blocks_of(settings.pool, block);
    if (!blocks) return "The pool holds no block; make it larger.";
    if (*blocks <= kMostTaskPool / std::max<u64>(block, 1)) return {};
    return "The pool has more than " + bytes_binary(kMostTaskPool) +
           ", with which no task is played; make it smaller.";
}

// The score as it is written, and the reason, where it is done.
void tell_done(const Lesson& lesson, const LessonTask& task, const Evaluator& scope,
               GradedTask& out) {
    if (out.grade.score) {
        const auto text = value_shown(*out.grade.score, task.format);
        if (!text)
            throw Error(ErrorCode::World, place_of_task(lesson, task) +
                                              "the format of the task's score does not go with "
                                              "it; change one of them.");
        out.score = *text;
    }
    out.why = shown_prose(lesson, scope, task.why);
}

}  // namespace

TaskRules rules_of(const LessonTask& task) {
    TaskRules rules{.conditions = {},
                    .at_end = task.at_end,
                    .within = task.within,
                    .score = task.score ? task.score->means.tree : nullptr,
                    .lower_is_better = task.lower_is_better};
    for (const TaskLine& line : task.reach) rules.conditions.push_back(line.means.tree);
    return rules;
}

Scene LessonPlayer::task_start(const Lesson& lesson, const LessonStep& step,
                               const LessonTask& task) const {
    Scene scene = read(lesson, step, task.start ? *task.start : step.scene.value_or(""));
    scene.step = task.at;
    return scene;
}

TankScene LessonPlayer::after_deeds(const Lesson& lesson, const LessonStep& step,
                                    const LessonTask& task,
                                    const std::vector<TankDeed>& deeds) const {
    TankScene tank{task_start(lesson, step, task), task.at};
    for (const TankDeed& deed : deeds)
        if (const std::string why = carry_out(deed, tank); !why.empty())
            refuse_deed(lesson, task, deed, why);
    return tank;
}

RecordingAsk LessonPlayer::asked_after(const Lesson& lesson, const LessonTask& task,
                                       const std::vector<TankDeed>& deeds) const {
    RecordingAsk ask;
    for (const TankDeed& deed : deeds)
        if (const std::string why = carry_out(deed.words, ask); !why.empty())
            refuse_deed(lesson, task, deed, why);
    return ask;
}

GradedTask LessonPlayer::grade_deeds(const Lesson& lesson, const LessonStep& step,
                                     const LessonTask& task, const std::vector<TankDeed>& deeds) {
    if (step.recording) return grade_task(lesson, step, task, asked_after(lesson, task, deeds));
    return grade_task(lesson, step, task, after_deeds(lesson, step, task, deeds).scene);
}

std::string LessonPlayer::best_score(const Lesson& lesson, const LessonStep& step,
                                     const LessonTask& task) {
    if (step.recording) return grade_deeds(lesson, step, task, task.solution).score;
    const Scene best = after_deeds(lesson, step, task, task.solution).scene;
    const auto known = measures_.score(models_.model(best.model), best, task.id);
    if (!known) return grade_task(lesson, step, task, best).score;
    return value_shown(*known, task.format).value_or("");
}

GradedTask LessonPlayer::grade_task(const Lesson& lesson, const LessonStep& step,
                                    const LessonTask& task, const Scene& scene) {
    GradedTask out;
    const Scene start = task_start(lesson, step, task);
    if (const std::string why = forbidden_change(start, scene, task.allow); !why.empty()) {
        out.refused = "The scene " + why + ".";
        return out;
    }
    std::optional<LessonRun> run;
    try {
        const LessonModel& model = models_.model(scene.model);
        Scene played = scene;
        keep_known_blocks(played.settings, model.config());
        out.refused = pool_refusal(model.config(), played.settings);
        if (!out.refused.empty()) return out;
        run.emplace(model, std::move(played), "The scene", task.within, StateHashes::None);
    } catch (const Error& error) {
        out.refused = error.what();
        return out;
    }
    const LessonRun& begun = run_of(start, lesson.file);
    out.grade = grade_run(rules_of(task), *run, begun);
    if (out.grade.done) tell_done(lesson, task, task_scope(*run, begun, *out.grade.done), out);
    return out;
}

GradedTask LessonPlayer::grade_task(const Lesson& lesson, const LessonStep& step,
                                    const LessonTask& task, const RecordingAsk& ask) {
    GradedTask out;
    if (const std::string why = forbidden_change({}, ask, task.allow); !why.empty()) {
        out.refused = "The question " + why + ".";
        return out;
    }
    const LessonRecording& recording = recording_of(lesson, step);
    out.grade = grade_ask(rules_of(task), recording, ask);
    if (out.grade.done) tell_done(lesson, task, task_scope(recording, ask), out);
    return out;
}

ShownTask LessonPlayer::shown_task(const Lesson& lesson, const LessonStep& step,
                                   const LessonTask& task) {
    if (step.recording)
        return shown_task(lesson, task, task_scope(recording_of(lesson, step), RecordingAsk()));
    const LessonRun& start = run_of(task_start(lesson, step, task), lesson.file);
    return shown_task(lesson, task, task_scope(start, start, task.at));
}

ShownTask LessonPlayer::shown_task(const Lesson& lesson, const LessonTask& task,
                                   const Evaluator& scope) const {
    ShownTask out;
    out.id = task.id, out.is_challenge = task.is_challenge();
    out.text = shown_prose(lesson, scope, task.text);
    out.hint = shown_prose(lesson, scope, task.hint);
    for (const TaskLine& line : task.reach)
        out.conditions.push_back(plain_line(shown_prose(lesson, scope, line.words)));
    out.allow = task.allow, out.at_end = task.at_end;
    out.within = task.within, out.at = task.at;
    if (task.score) out.score = plain_line(shown_prose(lesson, scope, task.score->words));
    out.lower_is_better = task.lower_is_better;
    for (const TankDeed& deed : task.solution) out.solution.push_back(deed.words);
    return out;
}

std::vector<std::string> LessonPlayer::broken_tasks(const Lesson& lesson, const LessonStep& step) {
    std::vector<std::string> broken;
    for (const LessonTask& task : step.tasks) {
        std::vector<std::string> more = broken_task(lesson, step, task);
        std::move(more.begin(), more.end(), std::back_inserter(broken));
    }
    return broken;
}

std::vector<std::string> LessonPlayer::broken_task(const Lesson& lesson, const LessonStep& step,
                                                   const LessonTask& task) {
    std::vector<std::string> broken;
    const auto fault = [&](const std::string& sentence) {
        broken.push_back(place_of_task(lesson, task) + "the task " + task.id + " " + sentence);
    };
    const auto graded = [&](const std::vector<TankDeed>& deeds) {
        return grade_deeds(lesson, step, task, deeds);
    };
    const TaskRules rules = rules_of(task);
    const GradedTask untouched = graded({}), solved = graded(task.solution);
    if (task.is_challenge() && solved.grade.score && !step.recording) {
        const Scene best = after_deeds(lesson, step, task, task.solution).scene;
        scores_.take_score(models_.model(best.model), best, task.id, *solved.grade.score);
    }
    if (!untouched.refused.empty()) fault("cannot begin: " + untouched.refused);
    if (untouched.is_done() && !task.is_challenge())
        fault("is done before anything is; let it start elsewhere or ask for more.");
    if (!solved.refused.empty()) {
        fault("is not solved by its solution: " + solved.refused);
    } else if (!solved.is_done()) {
        std::string open;
        if (!solved.grade.moments.empty())
            for (std::size_t i = 0; i < task.reach.size(); ++i)
                if (const ConditionNow& c = solved.grade.moments.back().conditions[i]; !c.holds)
                    open += "; at the end " + task.reach[i].means.text + " does not hold" +
                            (c.now.empty() ? "" : " (" + c.now + ")");
        fault("is not solved by its solution" +
              std::string(task.at_end && !solved.grade.ended
                              ? "; its run does not end within " + std::to_string(task.within) +
                                    " iterations"
                              : "") +
              open + "; correct it.");
    }
    if (task.is_challenge() && solved.is_done() && !solved.grade.score)
        fault("has a score that is no number; correct it.");
    for (const auto& way : task.wrong)
        if (graded(way).is_done())
            fault("takes \"" + shown(words_of_deeds(way)) + "\" as right; ask for more.");
    const auto& best = solved.grade.score;
    if (untouched.grade.score && best && !is_better(rules, *best, *untouched.grade.score))
        fault("has a best that is no better than doing nothing; find another.");
    for (const auto& way : task.other) {
        const GradedTask done = graded(way);
        if (!done.is_done())
            fault("has another way, \"" + shown(words_of_deeds(way)) + "\", which does not do it" +
                  (done.refused.empty() ? "" : ": " + done.refused) + "; make it a wrong one.");
        else if (best && done.grade.score && !is_better(rules, *best, *done.grade.score))
            fault("has another way, \"" + shown(words_of_deeds(way)) +
                  "\", that is as good as its best; make it the best.");
    }
    return broken;
}

}  // namespace kv
