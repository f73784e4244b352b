#include "app/live/lessons/desk.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "app/live/lessons/wake_at_end.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

std::string word_or_nothing(const Command& wish) {
    const auto* text = std::get_if<std::string>(&wish.argument);
    return text == nullptr ? std::string() : *text;
}

std::optional<std::uint64_t> whole_number(const std::string& text) {
    std::string why;
    return parse_whole(text, 0, 1'000'000, why);
}

LessonStand stand_at(const StepOfRun& run, std::uint64_t moment) {
    const Snapshot now = run.run->trace().at(moment);
    return {moment, now.iteration};
}

bool asks_what_if(const ShownStep& step) {
    return std::find(step.panels.begin(), step.panels.end(), "whatif") != step.panels.end();
}

// Where the cursor of a recording stands, in seconds; none: at its end.
std::optional<double> time_in_recording(const LessonMoment& moment) {
    if (moment.kind == LessonMoment::Kind::End) return std::nullopt;
    return moment.number;
}

LessonHead head_of(const Lesson& lesson) {
    LessonHead head{.number = lesson.number,
                    .minutes = lesson.minutes,
                    .title = lesson.title,
                    .ids = {},
                    .steps = {},
                    .prerequisites = lesson.prerequisites};
    for (const LessonStep& step : lesson.steps)
        head.ids.push_back(step.id), head.steps.push_back(step.title);
    return head;
}

}  // namespace

LessonDesk::LessonDesk(LessonPlaces places, std::function<void()> wake)
    : places_(std::move(places)),
      wake_(std::move(wake)),
      progress_(places_.progress),
      tasks_(places_.scene, places_.model, wake_) {
    view_.done = progress_.progress().done;
    view_.last = progress_.progress().last;
}

LessonDesk::~LessonDesk() {
    if (computing_.valid()) computing_.wait();
}

void LessonDesk::open_shelf() {
    if (shelf_ != nullptr || !view_.problem.empty()) return;
    read_shelf_again();
}

void LessonDesk::read_shelf_again() {
    if (computing_.valid())
        computing_.wait(), computing_ = {};  // it reads the shelf that is let go
    view_.problem = {};
    try {
        shelf_ = std::make_shared<const LessonShelf>(read_shelf(places_.folder()));
        if (models_ == nullptr) models_ = std::make_unique<ShippedModels>(places_.model);
        player_ = std::make_unique<LessonPlayer>(*models_, places_.scene);
        if (shelf_->measures) player_->know(*shelf_->measures);
    } catch (const Error& error) {
        shelf_.reset();
        view_.problem = said_of(error);
        return;
    }
    view_.shelf.clear();
    for (const Lesson& lesson : shelf_->lessons) view_.shelf.push_back(head_of(lesson));
}

// Steps need a shelf that could be read, and what is said to a step one that is open.
struct LessonDesk::Wishes {
    enum class Needs : std::uint8_t { Nothing, Shelf, Step };
    struct Row {
        CommandId id;
        Needs needs;
        void (*run)(LessonDesk& desk, const Command& wish);
    };

    template <auto Do, auto... Args>
    static void run(LessonDesk& desk, const Command&) {
        (desk.*Do)(Args...);
    }
    template <auto Do>
    static void with_word(LessonDesk& desk, const Command& wish) {
        (desk.*Do)(word_or_nothing(wish));
    }
    static void open_named(LessonDesk& desk, const Command& wish) {
        desk.open(desk.place_named(word_or_nothing(wish)));
    }
    static void open_last(LessonDesk& desk, const Command&) {
        desk.open(desk.view_.last.empty() ? At{desk.shelf_->lessons.front().number, 0}
                                          : desk.place_named(desk.view_.last));
    }
    static void open_museum(LessonDesk& desk, const Command&) {
        desk.open(desk.place_named(std::to_string(kMuseum)));
    }
    static void reveal(LessonDesk& desk, const Command&) {
        if (const auto in_front = desk.view_.exercise_in_front())
            desk.view_.exercises[*in_front].answered = true;
        if (desk.view_.may_reveal()) desk.reveal();
    }
    static void ask_another(LessonDesk& desk, const Command& wish) {
        AskedExercise& asked = desk.exercise(word_or_nothing(wish));
        const std::uint64_t seed = asked.seed.value_or(0) + 1;
        asked = {.exercise = ask(asked.exercise.id, seed), .seed = seed};
    }
    static void turn_figure(LessonDesk& desk, const Command& wish) { desk.turn_figure(wish.id); }
    static void task(LessonDesk& desk, const Command& wish) { desk.carry_out_task(wish); }

    static std::span<const Row> table() {
        // Not constexpr: looking up so many ids in one constant is too long for clang 14.
        static const Row kAll[] = {
            {"lesson.reload", Needs::Nothing, run<&LessonDesk::reload>},
            {"lesson.close", Needs::Nothing, run<&LessonDesk::close>},
            {"lesson.open", Needs::Shelf, open_named},
            {"lesson.continue", Needs::Shelf, open_last},
            {"lesson.museum", Needs::Shelf, open_museum},

            {"lesson.next", Needs::Step, run<&LessonDesk::step_by, 1>},
            {"lesson.previous", Needs::Step, run<&LessonDesk::step_by, -1>},
            {"lesson.go_on", Needs::Step, run<&LessonDesk::go_on>},
            {"lesson.go_back", Needs::Step, run<&LessonDesk::go_back>},
            {"lesson.say", Needs::Step, with_word<&LessonDesk::say>},
            {"lesson.reveal", Needs::Step, reveal},
            {"lesson.answer", Needs::Step, with_word<&LessonDesk::answer>},
            {"lesson.hint", Needs::Step, with_word<&LessonDesk::hint>},
            {"lesson.another", Needs::Step, ask_another},

            {"figure.back", Needs::Step, turn_figure},
            {"figure.forward", Needs::Step, turn_figure},
            {"figure.play", Needs::Step, turn_figure},
            {"figure.first", Needs::Step, turn_figure},
            {"figure.last", Needs::Step, turn_figure},

            {"task.open", Needs::Step, task},
            {"task.hint", Needs::Step, task},
            {"task.reset", Needs::Step, task},
            {"task.give_up", Needs::Step, task},
            {"task.leave", Needs::Step, task},
        };
        return kAll;
    }
};

void LessonDesk::carry_out(const Command& wish) {
    open_shelf();
    const std::span<const Wishes::Row> rows = Wishes::table();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Wishes::Row& each) { return each.id == wish.id; });
    KV_ASSERT(row != rows.end());
    if (row->needs != Wishes::Needs::Nothing && shelf_ == nullptr) return;  // the panel says why
    if (row->needs == Wishes::Needs::Step && !view_.lesson)
        throw Refused("refused.lesson.closed"_t);
    row->run(*this, wish);
}

void LessonDesk::close() {
    view_.lesson.reset(), view_.problem = {}, open_.reset(), awaited_.reset();
    end_task();
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

void LessonDesk::open(At at) {
    view_.busy = true;
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

LessonDesk::ReadyStep LessonDesk::ready_step(LessonPlayer& player, const Lesson& lesson, At at) {
    const LessonStep& step = lesson.steps[at.step];
    ReadyStep ready{.at = at, .shown = player.shown_step(lesson, step)};
    ready.leaves_out = player.leaves_out(lesson);
    ready.exercises = step.exercises;
    ready.moves = step.moves();
    ready.scene = player.scene(lesson, step);
    ready.other = player.other_scene(lesson, step);
    ready.place = lesson.file;
    ready.recording = player.recording_place(lesson, step);
    if (!ready.recording.empty()) {
        ready.opens.at_s = time_in_recording(step.opens);
        ready.ends.at_s = time_in_recording(step.ends);
    }
    if (!ready.scene) return ready;
    ready.scene->layout = step.layout;
    ready.names_view = !step.view.empty();
    if (ready.names_view) ready.scene->view = step.view;
    const StepRuns runs = player.restore(lesson, step);
    ready.opens = stand_at(runs.main, runs.main.opens);
    ready.ends = stand_at(runs.main, runs.main.ends);
    return ready;
}

std::optional<LessonStage> LessonDesk::take(double seconds) {
    while (computing_.is_ready(seconds)) {
        std::optional<ReadyStep> ready;
        try {
            ready = computing_.get();
        } catch (const Error& error) {
            view_.problem = said_of(error), view_.busy = false;
        }
        if (awaited_)
            compute(*std::exchange(awaited_, std::nullopt));
        else if (ready)
            take_over(std::move(*ready));
    }
    return std::exchange(stage_, std::nullopt);
}

void LessonDesk::take_over(ReadyStep ready) {
    view_.busy = false;
    end_task();
    show(ready);
    open_ = std::move(ready);
    stage_ = stage_of_step(true);
    std::error_code none;
    read_at_ = std::filesystem::last_write_time(open_->place, none);
    if (!view_.has_more) mark_done();
    LessonProgress progress = progress_.progress();
    progress.last = view_.last = step_name();
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
    view_.opens = ready.opens.moment, view_.ends = ready.ends.moment;
    view_.predictions.clear(), view_.exercises.clear(), view_.tasks.clear();
    for (const ShownPrediction& prediction : ready.shown.predictions)
        view_.predictions.push_back({.asked = prediction});
    for (const std::string& id : ready.exercises)
        if (is_exercise(id)) view_.exercises.push_back({.exercise = fixed_exercise(id)});
    for (const ShownTask& task : ready.shown.tasks)
        view_.tasks.push_back({task, plain_line(task.text), whole_task(task)});
    recall_answers();
}

const std::string& LessonDesk::recording() const {
    static const std::string none;
    return open_ ? open_->recording : none;
}

std::string LessonDesk::step_name() const {
    return std::to_string(*view_.lesson) + ":" + view_.shown.id;
}

LessonStage LessonDesk::stage_of_step(bool begins) const {
    return {
        .begins = begins,
        .scene = begins ? open_->scene : std::nullopt,
        .other = begins ? open_->other : std::nullopt,
        .place = open_->place,
        .recording = open_->recording,
        .asks = begins && asks_what_if(view_.shown) ? std::optional(RecordingAsk()) : std::nullopt,
        .stand = begins ? open_->opens : open_->ends,
        .layout = view_.shown.layout,
        .page = std::to_string(*view_.lesson) + ":" + view_.shown.id,
        .panels = view_.shown.panels,
        .names_view = open_->names_view};
}

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
    view_.lesson.reset();
}

// The next face in front of an audience: what was asked, the reasons one by one, what follows, and
// then the next step.
void LessonDesk::go_on() {
    if (view_.is_at_last_face()) return step_by(1);
    if (view_.has_more && !view_.revealed) return reveal();
    ++view_.face;
}

void LessonDesk::go_back() {
    if (view_.face > 0)
        --view_.face;
    else
        step_by(-1);
}

// Gives the hint of the exercise with that id; where none is named, of the exercise in front or of
// the question that is asked.
void LessonDesk::hint(const std::string& id) {
    if (!id.empty()) {
        exercise(id).hinted = true;
        return;
    }
    if (const auto in_front = view_.exercise_in_front()) {
        view_.exercises[*in_front].hinted = true;
        return;
    }
    const auto at = view_.asks();
    if (!at || view_.predictions[*at].asked.hint.empty()) throw Refused("refused.lesson.hint"_t);
    view_.predictions[*at].hinted = true;
}

// Shows what is real and grades what was said. In front of an audience nobody may have written an
// answer.
void LessonDesk::reveal() {
    if (view_.busy || view_.revealed || !open_) return;
    view_.revealed = true;
    for (AskedPrediction& asked : view_.predictions)
        asked.verdict = grade_prediction(asked.asked, asked.said.value_or(""));
    if (has_figure(view_)) {  // from where the question left it
        const figure::Keys keys = figure_keys(*view_.shown.figure);
        view_.figure_key = keys.last, view_.figure_plays = keys.end > keys.last;
    }
    stage_ = stage_of_step(false);
    mark_done();
}

// One key on or back, to either end, or all of them one after the other.
void LessonDesk::turn_figure(CommandId wish) {
    if (!has_figure(view_)) throw Refused("refused.lesson.figure"_t);
    const figure::Keys keys = figure_keys(*view_.shown.figure);
    const std::uint32_t top = keys.top(view_.revealed);
    std::uint32_t& key = view_.figure_key;
    if (wish == "figure.play") {
        if (!view_.figure_plays && key == top) key = keys.first;
        view_.figure_plays = !view_.figure_plays && top > keys.first;
        return;
    }
    if (wish == "figure.forward") key = std::min(key + 1, top);
    if (wish == "figure.back") key = std::max(key, keys.first + 1) - 1;
    if (wish == "figure.first") key = keys.first;
    if (wish == "figure.last") key = top;
    view_.figure_plays = view_.figure_plays && wish == "figure.forward" && key < top;
}

void LessonDesk::finish_figure() {
    if (std::exchange(view_.figure_plays, false)) turn_figure("figure.last");
}

void LessonDesk::mark_done() {
    LessonProgress progress = progress_.progress();
    progress.done[*view_.lesson].insert(view_.shown.id);
    view_.done = progress.done;
    progress_.keep(std::move(progress));
}

bool LessonDesk::file_has_changed() {
    if (!open_ || computing_.valid()) return false;
    std::error_code failed;
    const auto written = std::filesystem::last_write_time(open_->place, failed);
    if (failed || written == read_at_) return false;
    read_at_ = written;
    return true;
}

// The step that is open is shown anew, at the place where it stands now.
void LessonDesk::reload() {
    const std::optional<At> at = open_ ? std::optional(open_->at) : std::nullopt;
    read_shelf_again();
    const Lesson* lesson = shelf_ == nullptr || !at ? nullptr : shelf_->find(at->lesson);
    if (lesson != nullptr) open({at->lesson, std::min(at->step, lesson->steps.size() - 1)});
}

std::optional<Said> LessonDesk::take_problem() {
    const bool was_broken = std::exchange(is_broken_, !view_.problem.empty());
    return is_broken_ && !was_broken ? std::optional(view_.problem) : std::nullopt;
}

}  // namespace kv
