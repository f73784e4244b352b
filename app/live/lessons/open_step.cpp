// The way of a step of a lesson, from the word that names it to the window: place_named() finds it,
// compute() has ready_step() run on a thread of its own, take() fetches what came of it, show()
// writes that into the LessonView, which the panel Lesson draws, and what the tank is to show then
// waits for LiveRun. reveal() goes on from there.
//
// What is written in its file is a LessonStep (core/lesson/course/lesson.hpp). ShownStep is the
// same with every number filled in.

#include <algorithm>
#include <utility>

#include "app/live/lessons/desk.hpp"
#include "app/live/lessons/wake_at_end.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

LessonStand stand_at(const StepOfRun& run, std::uint64_t moment) {
    const Snapshot now = run.run->trace().at(moment);
    return {.moment = moment, .iteration = now.iteration};
}

bool asks_what_if(const LessonStep& step) {
    return std::find(step.panels.begin(), step.panels.end(), "whatif") != step.panels.end();
}

// The end of a recording has no time.
LessonStand stand_in_recording(const LessonMoment& moment) {
    if (moment.kind == LessonMoment::Kind::End) return {};
    return {.at_s = moment.number};
}

}  // namespace

// None that a person means is longer.
std::optional<std::uint64_t> LessonDesk::whole_number(const std::string& word) {
    std::string why;
    return parse_whole(word, 0, 1'000'000, why);
}

// "8", "8:walk" and "8:3", the third step of it.
LessonDesk::At LessonDesk::place_named(const std::string& words) const {
    const std::size_t colon = std::min(words.find(':'), words.size());
    const auto number = whole_number(words.substr(0, colon));
    const Lesson* lesson = number ? shelf_->find(static_cast<std::uint32_t>(*number)) : nullptr;
    const auto last =
        std::max_element(shelf_->lessons.begin(), shelf_->lessons.end(),
                         [](const Lesson& a, const Lesson& b) { return a.number < b.number; });
    if (lesson == nullptr)
        throw Refused("refused.lesson.unknown"_t,
                      {{"word", shown(words.substr(0, colon))},
                       {"first", std::to_string(shelf_->lessons.front().number)},
                       {"last", std::to_string(last->number)}});
    if (colon == words.size()) return {lesson->number, 0};
    const std::string step = words.substr(colon + 1);
    for (std::size_t i = 0; i < lesson->steps.size(); ++i)
        if (lesson->steps[i].id == step) return {lesson->number, i};
    const auto n = whole_number(step);
    if (!n || *n == 0 || *n > lesson->steps.size())
        throw Refused("refused.lesson.step"_t, {{"lesson", std::to_string(lesson->number)},
                                                {"word", shown(step)},
                                                {"n", std::to_string(lesson->steps.size())}});
    return {lesson->number, static_cast<std::size_t>(*n - 1)};
}

// To the step before or behind the open one, across lessons; behind the last one lies the shelf.
void LessonDesk::step_by(int by) {
    const auto lesson = std::find_if(shelf_->lessons.begin(), shelf_->lessons.end(),
                                     [&](const Lesson& l) { return l.number == view_.lesson; });
    if (lesson == shelf_->lessons.end()) return;
    const auto next = static_cast<std::ptrdiff_t>(view_.step) + by;
    if (next >= 0 && next < static_cast<std::ptrdiff_t>(lesson->steps.size()))
        return open({lesson->number, static_cast<std::size_t>(next)});
    if (by < 0 && lesson != shelf_->lessons.begin())
        return open({std::prev(lesson)->number, std::prev(lesson)->steps.size() - 1});
    if (by > 0 && std::next(lesson) != shelf_->lessons.end())
        return open({std::next(lesson)->number, 0});
    close();
}

void LessonDesk::open(At at) {
    view_.busy = true, asked_at_ = at;
    if (computing_.valid())
        awaited_ = at;
    else
        compute(at);
}

void LessonDesk::compute(At at) {
    computing_ = later([this, at, shelf = shelf_] {
        const WakeAtEnd wake(wake_);
        return ready_step(*player_, *shelf->find(at.lesson), at);
    });
}

// Plays the scenes of the step once, for the numbers of its words and the moments at which it
// stands; the tank plays them again, in its own session.
LessonDesk::ReadyStep LessonDesk::ready_step(LessonPlayer& player, const Lesson& lesson, At at) {
    const LessonStep& step = lesson.steps[at.step];
    ReadyStep ready{.at = at,
                    .shown = player.shown_step(lesson, step),
                    .leaves_out = player.leaves_out(lesson),
                    .moves = step.moves()};
    TankSetup& tank = ready.tank;
    tank.scene = player.scene(lesson, step);
    tank.other = player.other_scene(lesson, step);
    tank.place = lesson.file;
    tank.recording = player.recording_place(lesson, step);
    tank.layout = step.layout;
    tank.page = std::to_string(at.lesson) + ":" + step.id;
    tank.panels = step.panels;
    if (asks_what_if(step)) tank.asks = RecordingAsk();
    if (!tank.recording.empty()) {
        tank.stand = stand_in_recording(step.opens);
        ready.ends = stand_in_recording(step.ends);
    }
    if (!tank.scene) return ready;
    tank.scene->layout = step.layout;
    tank.names_view = !step.view.empty();
    if (tank.names_view) tank.scene->view = step.view;
    const StepRuns runs = player.restore(lesson, step);
    tank.stand = stand_at(runs.main, runs.main.opens);
    ready.ends = stand_at(runs.main, runs.main.ends);
    return ready;
}

std::optional<TankSetup> LessonDesk::take(double seconds) {
    while (computing_.is_ready(seconds)) {
        std::optional<ReadyStep> ready;
        try {
            ready = computing_.get();
        } catch (const Error& error) {
            if (view_.busy) view_.problem = said_of(error);
            view_.busy = awaited_.has_value();
        }
        if (awaited_)
            compute(*std::exchange(awaited_, std::nullopt));
        else if (ready && view_.busy)
            take_over(std::move(*ready));
    }
    return std::exchange(tank_, std::nullopt);
}

void LessonDesk::take_over(ReadyStep ready) {
    view_.busy = false;
    end_task();
    show(ready);
    tank_ = ready.tank;
    open_ = std::move(ready);
    std::error_code none;
    read_at_ = std::filesystem::last_write_time(open_->tank.place, none);
    if (!view_.has_more) mark_done();
    LessonProgress progress = progress_.progress();
    progress.last = view_.last = open_->tank.page;
    progress_.keep(std::move(progress));
}

// Writes the step into the view, as it stands before anybody has said anything to it in this
// window.
void LessonDesk::show(const ReadyStep& ready) {
    view_.lesson = ready.at.lesson, view_.step = ready.at.step;
    view_.shown = ready.shown;
    view_.leaves_out = ready.leaves_out;
    view_.has_more = ready.moves || !ready.shown.then.empty() || !ready.shown.predictions.empty();
    view_.revealed = false, view_.face = 0;
    view_.figure_plays = false;
    view_.figure_key = has_figure(view_) ? figure_keys(*view_.shown.figure).opens : 0;
    view_.opens = ready.tank.stand.moment, view_.ends = ready.ends.moment;
    view_.predictions.clear(), view_.exercises.clear(), view_.tasks.clear();
    for (const ShownPrediction& prediction : ready.shown.predictions)
        view_.predictions.push_back({.prediction = prediction});
    for (const std::string& id : ready.shown.exercises)
        if (is_exercise(id)) view_.exercises.push_back({.exercise = fixed_exercise(id)});
    for (const ShownTask& task : ready.shown.tasks)
        view_.tasks.push_back(
            {.task = task, .words = plain_line(task.text), .whole = whole_task(task)});
    recall_answers();
}

// Shows what is real and grades what was said. In front of an audience it may be that nobody has
// answered: then the panel marks nothing as right or wrong, and says what is real alone.
void LessonDesk::reveal() {
    if (view_.busy || view_.revealed || !open_) return;
    view_.revealed = true;
    for (AskedPrediction& asked : view_.predictions)
        asked.verdict = grade_prediction(asked.prediction, asked.said.value_or(""));
    if (has_figure(view_)) {  // from where the question left it
        const figure::Keys keys = figure_keys(*view_.shown.figure);
        view_.figure_key = keys.last, view_.figure_plays = keys.end > keys.last;
    }
    tank_ = TankSetup{.begins = false, .recording = open_->tank.recording, .stand = open_->ends};
    mark_done();
}

}  // namespace kv
