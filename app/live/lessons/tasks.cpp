// The tasks of the step that is open, and the one that is under way in the tank.

#include <algorithm>
#include <utility>
#include <vector>

#include "app/live/lessons/desk.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// The task with that id; where none is named, the first that is not done yet, or, with all of them
// done, the first.
const TaskCard* chosen_task(const std::vector<TaskCard>& tasks, const std::string& id) {
    const auto found = std::find_if(tasks.begin(), tasks.end(), [&](const TaskCard& card) {
        return id.empty() ? !card.record.done : card.task.id == id;
    });
    if (found != tasks.end()) return &*found;
    return id.empty() && !tasks.empty() ? &tasks.front() : nullptr;
}

}  // namespace

void LessonDesk::carry_out_task(const Command& wish) {
    if (wish.id == "task.open") {
        const auto* id = std::get_if<std::string>(&wish.argument);
        return open_task(id == nullptr ? std::string() : *id);
    }
    if (!tasks_.view()) throw Refused("refused.task.none"_t);
    if (wish.id == "task.hint") tasks_.hint();
    if (wish.id == "task.reset") {
        tasks_.reset();
        set_up_start();
    }
    if (wish.id == "task.give_up") {
        tasks_.give_up();
        if (tasks_.is_over_recording()) {
            set_up_question(tasks_.solved_ask());
        } else {
            TankScene solved = tasks_.solved();
            set_up_scene(std::move(solved.scene), solved.at);
        }
    }
    if (wish.id == "task.leave") return open(open_->at);
    view_.task = tasks_.view();
}

// A task that is under way goes on.
void LessonDesk::open_task(const std::string& id) {
    const TaskCard* card = chosen_task(view_.tasks, id);
    if (card == nullptr && id.empty()) throw Refused("refused.task.step"_t);
    if (card == nullptr) throw Refused("refused.task.unknown"_t, {{"word", shown(id)}});
    if (tasks_.view() && tasks_.view()->task.id == card->task.id) return;
    tasks_.begin({.shelf = shelf_,
                  .lesson = open_->at.lesson,
                  .step = open_->at.step,
                  .task = static_cast<std::size_t>(card - view_.tasks.data()),
                  .shown = card->task,
                  .record = card->record});
    set_up_start();
    view_.task = tasks_.view();
}

void LessonDesk::set_up_start() {
    if (tasks_.is_over_recording()) return set_up_question({});
    set_up_scene(tasks_.start(), tasks_.view()->task.at);
}

// The panel What if over the recording, asking that.
void LessonDesk::set_up_question(const RecordingAsk& ask) {
    tank_ = TankSetup{.place = open_->tank.place,
                      .recording = open_->tank.recording,
                      .asks = ask,
                      .layout = "explore",
                      .page = open_->tank.page,
                      .is_task = true};
}

void LessonDesk::set_up_scene(Scene scene, std::uint32_t iteration) {
    tank_ = TankSetup{.scene = std::move(scene),
                      .place = open_->tank.place,
                      .stand = {.iteration = iteration},
                      .layout = "explore",
                      .page = open_->tank.page,
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

void LessonDesk::follow_task(const WhatIfAsk& ask) {
    if (ask.file != open_->tank.recording) return;
    tasks_.follow(recording_ask_of(ask));
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
