#include "core/lesson/course/player.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/fnv_hash.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/figures/figures.hpp"
#include "core/lesson/recording/place.hpp"
#include "core/lesson/scene/branch.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

bool is_wanted(const LessonMoment& moment, const Event& event) {
    if (moment.kind == LessonMoment::Kind::Event) return name_of(event.what) == moment.name;
    const auto* part = std::get_if<Operation>(&event.what);
    return part != nullptr && event.iteration == moment.number &&
           name_of(part->op) == moment.name &&
           (!moment.layer || part->layer == LayerId(*moment.layer));
}

std::optional<std::uint64_t> find_moment(const Trace& trace, const LessonMoment& moment) {
    switch (moment.kind) {
        case LessonMoment::Kind::Start:
            return 0;
        case LessonMoment::Kind::End:
            return trace.size();
        case LessonMoment::Kind::Iteration:
            return trace.end_of_iteration(moment.number);
        case LessonMoment::Kind::Time:
            return std::nullopt;
        case LessonMoment::Kind::Event:
        case LessonMoment::Kind::Operation:
            break;
    }
    const std::uint32_t wanted = moment.kind == LessonMoment::Kind::Event ? moment.number : 1;
    std::uint64_t from = 0;
    for (std::uint32_t n = 0; n < wanted; ++n) {
        const auto found =
            trace.find(from, [&](const Event& event) { return is_wanted(moment, event); });
        if (!found) return std::nullopt;
        from = *found + 1;
    }
    return from;
}

std::uint64_t moment_of(const Lesson& lesson, const LessonStep& step, const LessonRun& run,
                        const LessonMoment& moment) {
    const auto found = find_moment(run.trace(), moment);
    if (!found)
        refuse_lesson(lesson, step.line,
                      "the step " + shown(step.id) +
                          " stands at a moment that its run does not have; choose one "
                          "of the run, which ends with iteration " +
                          std::to_string(run.last_iteration()) + ".");
    return *found;
}

std::uint64_t moment_of(const Lesson& lesson, const LessonStep& step,
                        const LessonRecording& recording, const LessonMoment& moment) {
    switch (moment.kind) {
        case LessonMoment::Kind::Start:
            return 0;
        case LessonMoment::Kind::End:
            return recording.end();
        case LessonMoment::Kind::Time:
            if (moment.number <= recording.seconds()) return recording.moment_at(moment.number);
            break;
        default:
            break;
    }
    refuse_lesson(
        lesson, step.line,
        "the step " + shown(step.id) +
            " stands at a moment that its recording does not have; write start, end or a time "
            "of its " +
            std::to_string(static_cast<std::uint64_t>(recording.seconds())) + " seconds.");
}

std::uint32_t walk_number(const Lesson& lesson, const LessonExpression& e, const LessonValue& v) {
    const auto* n = v.plain<Number>();
    if (n == nullptr || n->value < 0 || n->value > 1e9 || n->value != std::floor(n->value))
        refuse_lesson(lesson, e.line, "the picture wants whole numbers; correct them.");
    return static_cast<std::uint32_t>(n->value);
}

ShownWalk shown_walk(const Lesson& lesson, const Evaluator& scope, const LessonExpression& e) {
    const LessonValue value = lesson_value(lesson, scope, e);
    const auto* all = value.shared<LessonList>();
    const auto* table =
        all != nullptr && all->size() == 3 ? (*all)[2].shared<LessonList>() : nullptr;
    if (table == nullptr)
        refuse_lesson(lesson, e.line, "the picture wants a position, a block size and a table.");
    ShownWalk walk{.position = walk_number(lesson, e, (*all)[0]),
                   .block_size = walk_number(lesson, e, (*all)[1])};
    for (const LessonValue& entry : *table) walk.table.push_back(walk_number(lesson, e, entry));
    if (walk.block_size == 0 || walk.logical() >= walk.table.size())
        refuse_lesson(lesson, e.line,
                      "the picture has a position behind its table; make one longer.");
    return walk;
}

FigureFacts shown_figure(const Lesson& lesson, const Evaluator& scope, const LessonExpression& e) {
    try {
        return figure_facts(scope, *e.tree);
    } catch (const ExpressionRefusal& refusal) {
        refuse_lesson(lesson, e.line,
                      "the figure \"" + shown(e.text) + "\" " + refusal.rule + "; correct it.");
    }
}

}  // namespace

void refuse_lesson(const Lesson& lesson, std::uint32_t line, const std::string& sentence) {
    throw Error(ErrorCode::World,
                shown(lesson.file) + ":" + std::to_string(line) + ": " + sentence);
}

Scene LessonPlayer::read(const Lesson& lesson, const LessonStep& step,
                         const std::string& name) const {
    try {
        const std::string own = lesson.folder + "/" + name;
        return read_scene(std::filesystem::exists(own) ? own : stock_(name));
    } catch (const Error& error) {
        refuse_lesson(lesson, step.line, error.what());
    }
}

std::optional<Scene> LessonPlayer::scene(const Lesson& lesson, const LessonStep& step) const {
    if (!step.scene) return std::nullopt;
    return read(lesson, step, *step.scene);
}

std::optional<Scene> LessonPlayer::other_scene(const Lesson& lesson, const LessonStep& step) const {
    if (step.other) return read(lesson, step, *step.other);
    if (step.branch.empty() || !step.scene) return std::nullopt;
    Scene scene = read(lesson, step, *step.scene);
    scene.name.clear();  // it is called by what makes it another
    for (const auto& [at, text] : step.branch) {
        std::string why;
        const auto command = parse_engine_command(text, why);
        if (!command)
            refuse_lesson(lesson, step.line,
                          "the branch \"" + shown(text) + "\" " + why + "; correct the command.");
        scene = branch_of(scene, at, {*command});
        scene.name += (scene.name.empty() ? "" : ", ") + text;
    }
    return scene;
}

const LessonRun& LessonPlayer::run_of(const Scene& scene, const std::string& place) {
    std::unique_ptr<LessonRun>& run = runs_[scene_text(scene)];
    if (run != nullptr) return *run;
    run = std::make_unique<LessonRun>(models_.model(scene.model), scene, place, std::nullopt,
                                      hashes_);
    measures_.fill(*run);
    return *run;
}

std::string LessonPlayer::recording_place(const Lesson& lesson, const LessonStep& step) const {
    if (!step.recording) return {};
    try {
        return kv::recording_place(lesson.folder, *step.recording);
    } catch (const Error& error) {
        refuse_lesson(lesson, step.line, error.what());
    }
}

const LessonRecording& LessonPlayer::recording_of(const Lesson& lesson, const LessonStep& step) {
    const std::string place = recording_place(lesson, step);
    std::unique_ptr<LessonRecording>& recording = recordings_[place];
    try {
        if (recording == nullptr) recording = std::make_unique<LessonRecording>(place);
    } catch (const Error& error) {
        refuse_lesson(lesson, step.line, error.what());
    }
    return *recording;
}

StepOfRun LessonPlayer::restored_recording(const Lesson& lesson, const LessonStep& step) {
    const LessonRecording& recording = recording_of(lesson, step);
    return {.opens = moment_of(lesson, step, recording, step.opens),
            .ends = moment_of(lesson, step, recording, step.ends),
            .recording = &recording};
}

Measures LessonPlayer::measured() const {
    Measures measures = scores_;
    for (const auto& [scene, run] : runs_) measures.take(*run);
    return measures;
}

// Plays each scene to its end, once for all steps that stand in it, and finds both moments of the
// step in what was recorded.
StepRuns LessonPlayer::restore(const Lesson& lesson, const LessonStep& step) {
    StepRuns runs;
    if (const auto scene = this->scene(lesson, step)) {
        runs.main.run = &run_of(*scene, *step.scene);
        runs.main.opens = moment_of(lesson, step, *runs.main.run, step.opens);
        runs.main.ends = moment_of(lesson, step, *runs.main.run, step.ends);
    }
    if (step.recording) runs.main = restored_recording(lesson, step);
    if (runs.main.ends < runs.main.opens)
        refuse_lesson(
            lesson, step.line,
            "the step " + shown(step.id) + " ends before it opens; put \"to\" behind \"at\".");
    if (const auto scene = other_scene(lesson, step)) {
        runs.other.run = &run_of(*scene, step.other.value_or("the branch"));
        const LessonRun& run = *runs.other.run;
        runs.other.opens = moment_of(lesson, step, run, step.other_opens.value_or(step.opens));
        runs.other.ends = moment_of(lesson, step, run, step.other_ends.value_or(step.ends));
    }
    return runs;
}

// What is read before the reveal is computed at the moment at which the step opens; all that
// answers, and a figure, at the one at which it ends.
ShownStep LessonPlayer::shown_step(const Lesson& lesson, const LessonStep& step) {
    const StepRuns runs = restore(lesson, step);
    const Evaluator opens(runs, Evaluator::Moment::Opens), ends(runs, Evaluator::Moment::Ends);
    ShownStep out;
    out.id = step.id, out.title = step.title, out.layout = step.layout;
    out.recording = step.recording.value_or("");
    out.panels = step.panels, out.checks = step.checks, out.exercises = step.exercises;
    out.text = shown_prose(lesson, opens, step.text);
    out.then = shown_prose(lesson, ends, step.then);
    out.notes = shown_prose(lesson, ends, step.notes);
    if (step.figure) out.figure = shown_figure(lesson, ends, *step.figure);
    if (step.walk) out.walk = shown_walk(lesson, opens, *step.walk);
    out.code = step.code;
    FnvHash place;  // shuffles the choices, so that they stand the same way each time
    place.add(lesson.number);
    place.add(std::as_bytes(std::span(step.id)));
    for (const Prediction& p : step.predictions)
        out.predictions.push_back(
            shown_prediction(lesson, p, opens, ends, place.value() + out.predictions.size()));
    for (const LessonTask& task : step.tasks) out.tasks.push_back(shown_task(lesson, step, task));
    return out;
}

ShownProse LessonPlayer::leaves_out(const Lesson& lesson) {
    const StepRuns runs = restore(lesson, lesson.steps.front());
    return shown_prose(lesson, Evaluator(runs, Evaluator::Moment::Ends), lesson.leaves_out);
}

std::vector<std::string> LessonPlayer::broken_expects(const Lesson& lesson,
                                                      const LessonStep& step) {
    const Evaluator ends(restore(lesson, step), Evaluator::Moment::Ends);
    std::vector<std::string> broken;
    for (const LessonExpression& e : step.expects) {
        const LessonValue holds = lesson_value(lesson, ends, e);
        if (holds.plain<bool>() == nullptr)
            refuse_lesson(lesson, e.line, "expect wants something that is yes or no; compare it.");
        if (!*holds.plain<bool>())
            broken.push_back(lesson.file + ":" + std::to_string(e.line) + ": " + e.text +
                             " is false.");
    }
    return broken;
}

std::vector<std::string> LessonPlayer::broken_jump(const Lesson& lesson, const LessonStep& step) {
    std::vector<std::string> broken;
    const StepRuns runs = restore(lesson, step);
    for (const StepOfRun& side : {runs.main, runs.other}) {
        if (side.run == nullptr) continue;
        const std::uint32_t iteration = side.run->trace().at(side.ends).iteration;
        // One iteration further, because commands behind it belong to it.
        const LessonRun again(side.run->model(), side.run->scene(), lesson.file, iteration + 1);
        const IterationFacts *was = side.run->facts(iteration), *is = again.facts(iteration);
        const bool same = side.ends <= again.trace().size() &&
                          again.trace().at(side.ends) == side.run->trace().at(side.ends) &&
                          (was == nullptr) == (is == nullptr) &&
                          (was == nullptr || was->state_hash == is->state_hash);
        if (!same)
            broken.push_back(lesson.file + ":" + std::to_string(step.line) + ": the step " +
                             step.id + " is another one when it is jumped to.");
    }
    return broken;
}

}  // namespace kv
