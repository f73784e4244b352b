// The tasks of the step that is open, and the one that is under way in the tank.

#include <utility>

#include "app/live/lessons/desk.hpp"
#include "core/base/shown.hpp"

namespace kv {

void LessonDesk::carry_out_task(const Command& wish) {
    if (wish.id == "task.open") {
        const auto* id = std::get_if<std::string>(&wish.argument);
        return open_task(id == nullptr ? std::string() : *id);
    }
    if (!tasks_.view()) throw Refused("refused.task.none"_t);
    if (wish.id == "task.hint") tasks_.hint();
    if (wish.id == "task.reset") {
        tasks_.reset();
        stage_start();
    }
    if (wish.id == "task.give_up") {
        tasks_.give_up();
        if (tasks_.is_over_recording()) {
            stage_question(tasks_.solved_ask());
        } else {
            TankScene solved = tasks_.solved();
            stage_tank(std::move(solved.scene), solved.at);
        }
    }
    if (wish.id == "task.leave") return open(open_->at);
    view_.task = tasks_.view();
}

// Begins the task with that id; where none is named, the first that is not done yet. One that is
// under way goes on.
void LessonDesk::open_task(const std::string& id) {
    std::size_t at = view_.tasks.size();
    for (std::size_t i = view_.tasks.size(); i-- > 0;)
        if (id.empty() ? !view_.tasks[i].record.done : view_.tasks[i].task.id == id) at = i;
    if (id.empty() && at == view_.tasks.size() && at > 0) at = 0;
    if (at == view_.tasks.size()) {
        if (id.empty()) throw Refused("refused.task.step"_t);
        throw Refused("refused.task.unknown"_t, {{"word", shown(id)}});
    }
    const TaskCard& card = view_.tasks[at];
    if (tasks_.view() && tasks_.view()->task.id == card.task.id) return;
    tasks_.begin({.shelf = shelf_,
                  .lesson = open_->at.lesson,
                  .step = open_->at.step,
                  .task = at,
                  .shown = card.task,
                  .record = card.record});
    stage_start();
    view_.task = tasks_.view();
}

void LessonDesk::stage_start() {
    if (tasks_.is_over_recording()) return stage_question({});
    stage_tank(tasks_.start(), tasks_.view()->task.at);
}

// The panel What if over the recording, asking that.
void LessonDesk::stage_question(const RecordingAsk& ask) {
    stage_ = LessonStage{.begins = true,
                         .scene = {},
                         .other = {},
                         .place = open_->place,
                         .recording = open_->recording,
                         .asks = ask,
                         .stand = {},
                         .layout = "explore",
                         .page = step_name(),
                         .panels = {},
                         .is_task = true};
}

void LessonDesk::stage_tank(Scene scene, std::uint32_t iteration) {
    stage_ = LessonStage{.begins = true,
                         .scene = std::move(scene),
                         .other = {},
                         .place = open_->place,
                         .stand = {0, iteration},
                         .layout = "explore",
                         .page = step_name(),
                         .panels = {},
                         .is_task = true};
}

void LessonDesk::end_task() {
    tasks_.end();
    view_.task.reset();
}

void LessonDesk::follow_task(const Scene& scene, std::uint64_t run, const Snapshot& now) {
    tasks_.follow(scene, run, now);
    take_followed();
}

void LessonDesk::follow_task(const RecordingAsk& ask) {
    tasks_.follow(ask);
    take_followed();
}

void LessonDesk::take_followed() {
    view_.task = tasks_.view();
    const auto record = tasks_.take_record();
    if (!record) return;
    for (TaskCard& card : view_.tasks)
        if (card.task.id == view_.task->task.id) card.record = *record;
    LessonProgress progress = progress_.progress();
    progress.tasks[view_.task->task.id] = *record;
    progress_.keep(std::move(progress));
}

}  // namespace kv
