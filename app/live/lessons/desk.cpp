#include "app/live/lessons/desk.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {
namespace {

std::string word_or_nothing(const Command& wish) {
    const auto* text = std::get_if<std::string>(&wish.argument);
    return text == nullptr ? std::string() : *text;
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
    view_.problem = {}, view_.busy = false, awaited_.reset();
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

// A step that is still computed is asked for no more, and take() lets it go.
void LessonDesk::close() {
    view_.lesson.reset(), view_.problem = {}, open_.reset(), awaited_.reset();
    asked_at_.reset(), view_.busy = false;
    end_task();
}

// The next face in front of an audience: what is asked; behind its reveal the reasons one by one;
// what is said then; each exercise; each task; then the next step.
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
    if (!at || view_.predictions[*at].prediction.hint.empty())
        throw Refused("refused.lesson.hint"_t);
    view_.predictions[*at].hinted = true;
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
    const auto written = std::filesystem::last_write_time(open_->tank.place, failed);
    if (failed || written == read_at_) return false;
    read_at_ = written;
    return true;
}

// The step that was asked for last is shown anew, at the place where it stands now.
void LessonDesk::reload() {
    const std::optional<At> at = asked_at_;
    read_shelf_again();
    const Lesson* lesson = shelf_ == nullptr || !at ? nullptr : shelf_->find(at->lesson);
    if (lesson != nullptr) open({at->lesson, std::min(at->step, lesson->steps.size() - 1)});
}

std::optional<Said> LessonDesk::take_problem() {
    const bool was_broken = std::exchange(is_broken_, !view_.problem.empty());
    return is_broken_ && !was_broken ? std::optional(view_.problem) : std::nullopt;
}

}  // namespace kv
