#include "app/live/lessons/task_desk.hpp"

#include <utility>

#include "app/live/lessons/wake_at_end.hpp"
#include "core/base/error.hpp"
#include "core/lesson/tasks/changes.hpp"

namespace kv {

TaskDesk::TaskDesk(SceneFinder stock, ShippedModels::FolderOf model, std::function<void()> wake)
    : stock_(std::move(stock)), wake_(std::move(wake)), models_(std::move(model)) {}

TaskDesk::~TaskDesk() {
    if (grading_.valid()) grading_.wait();
}

void TaskDesk::begin(Begin begin) {
    end();
    player_ = std::make_unique<LessonPlayer>(models_, stock_);
    view_ = TaskView{.task = begin.shown,
                     .words = plain_line(begin.shown.text),
                     .hint = plain_line(begin.shown.hint),
                     .page = std::to_string(begin.lesson) + ":" +
                             begin.shelf->find(begin.lesson)->steps[begin.step].id,
                     .record = begin.record};
    for (const std::string& words : begin.shown.conditions)
        view_->conditions.push_back({words, {}});
    begun_ = std::move(begin);
}

void TaskDesk::end() {
    if (grading_.valid()) grading_.wait(), grading_ = {};
    begun_.reset(), view_.reset(), graded_.reset(), waiting_.reset(), goal_.reset(), news_.reset();
    best_.clear();
    player_.reset();
    seen_ = false;
}

Scene TaskDesk::start() const {
    return player_->task_start(lesson(), step(), task());
}

TankScene TaskDesk::solved() const {
    return player_->after_deeds(lesson(), step(), task(), task().solution);
}

RecordingAsk TaskDesk::solved_ask() const {
    return player_->asked_after(lesson(), task(), task().solution);
}

std::string TaskDesk::refusal(const Scene& next) const {
    return view_ && !is_over_recording() ? forbidden_change(start(), next, task().allow)
                                         : std::string();
}

void TaskDesk::hint() {
    if (view_) view_->hinted = true;
}

// Begins the task anew; the record of what was done is kept.
void TaskDesk::reset() {
    if (!view_) return;
    view_->done = view_->gave_up = false;
    view_->score.clear(), view_->why.clear();
    goal_.reset();
}

void TaskDesk::give_up() {
    if (!view_) return;
    reset();
    view_->gave_up = true;
}

void TaskDesk::follow(const Scene& scene, std::uint64_t run, const Snapshot& now) {
    if (!view_) return;
    if (!seen_ || run != run_ || scene.commands.size() != n_commands_) {
        seen_ = true, run_ = run, n_commands_ = scene.commands.size();
        grade(scene);
    }
    take(0);
    const bool inside = now.in_iteration && now.iteration > 0;
    look(inside ? now.iteration - 1 : now.iteration);
}

void TaskDesk::follow(const RecordingAsk& ask) {
    if (!view_) return;
    if (!seen_ || ask != asked_) {
        seen_ = true, asked_ = ask;
        grade(ask);
    }
    take(0);
    look(0);
}

GradedTask TaskDesk::graded(const Answer& answer) const {
    return std::visit(
        [this](const auto& given) { return player_->grade_task(lesson(), step(), task(), given); },
        answer);
}

void TaskDesk::grade(const Answer& answer) {
    graded_.reset();
    // What was done by another scene is not done by this one.
    if (!view_->gave_up) view_->done = false, view_->score.clear(), view_->why.clear();
    if (grading_.valid()) {
        waiting_ = answer;
        return;
    }
    const bool wants_best = view_->task.is_challenge && best_.empty();
    grading_ = later([this, answer, wants_best] {
        const WakeAtEnd wake(wake_);
        Graded out;
        out.graded = graded(answer);
        if (wants_best && (out.graded.is_done() || begun_->record.done))
            out.best = player_->grade_deeds(lesson(), step(), task(), task().solution);
        return out;
    });
}

void TaskDesk::take(double seconds) {
    while (grading_.is_ready(seconds)) {
        try {
            graded_ = grading_.get();
        } catch (const Error& error) {
            graded_ = Graded{};
            graded_->graded.refused = error.what();
        }
        if (waiting_) {
            grade(*std::exchange(waiting_, std::nullopt));
            continue;
        }
        view_->refused = graded_->graded.refused;
        if (graded_->best) best_ = graded_->best->score;
        if (view_->gave_up && !is_over_recording()) goal_ = graded_->graded.grade.done;
    }
}

// The conditions as the cursor stands.
void TaskDesk::look(std::uint32_t iteration) {
    if (!graded_ || grading_.valid()) return;
    const TaskGrade& grade = graded_->graded.grade;
    if (const TaskMoment* moment = grade.at(iteration))
        for (std::size_t i = 0; i < view_->conditions.size(); ++i)
            view_->conditions[i].holds = moment->conditions[i].holds,
            view_->conditions[i].now = moment->conditions[i].now;
    if (!view_->done && grade.done && iteration >= *grade.done) finish();
    // The best known score is shown after the reader has done the task once, and not before it is
    // known.
    if (view_->done || view_->record.done) view_->best = best_;
}

void TaskDesk::finish() {
    const GradedTask& graded = graded_->graded;
    view_->done = true, view_->done_at = *graded.grade.done;
    view_->why = plain_line(graded.why), view_->score = graded.score;
    if (view_->gave_up) return;
    TaskRecord& record = view_->record;
    const TaskRecord before = record;
    record.done = true;
    const auto& score = graded.grade.score;
    if (score && (!record.score || is_better(rules_of(task()), *score, Number{*record.score})))
        record.score = score->value, record.shown = graded.score;
    if (!(record == before)) news_ = record;
}

}  // namespace kv
