#include "app/live/live_run.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include "app/live/loading/seconds_now.hpp"
#include "app/live/scene/view_of.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/scene/branch.hpp"

namespace kv {
namespace {

constexpr double kFrameBudget = 0.008;  // seconds of a frame that may go into waiting for steps
constexpr double kPatience = 1e6;       // seconds that a picture waits for each part of it

void check_weights(const Scene& scene, const LoadedModel& model, const std::string& place) {
    if (!scene.sha256 || *scene.sha256 == model.loaded.sha256) return;
    throw Refused("refused.weights"_t, {{"file", shown(place)}}, ErrorCode::World);
}

// What is wrong with a sentence is said beside the field that it was typed into.
void say_refused(AppState& state, const Error& failed, bool of_sentence) {
    if (of_sentence && state.start.open)
        state.start.problem = said_of(failed);
    else if (of_sentence && state.minute.open)
        state.minute.problem = said_of(failed);
    else
        state.notice = Notice{.said = said_of(failed), .refused = true};
}

void remember_files(Settings& settings, const Opening& opening) {
    const auto absolute = [](const std::string& path) {
        return std::filesystem::absolute(path).lexically_normal().string();
    };
    if (opening.scene_file) remember(settings.recent_scenes, absolute(*opening.scene_file));
    if (opening.model_folder) remember(settings.recent_models, absolute(*opening.model_folder));
}

// False where none of them computes.
bool settle_one_of(std::initializer_list<RunSession*> runs) {
    const auto busy = std::find_if(runs.begin(), runs.end(), [](const RunSession* run) {
        return run != nullptr && run->busy();
    });
    if (busy == runs.end()) return false;
    (*busy)->settle(kPatience);
    return true;
}

}  // namespace

LiveRun::LiveRun(RunPlaces places, std::function<void()> wake)
    : places_(std::move(places)),
      wake_(std::move(wake)),
      opener_(wake_),
      recorded_([this] { return ++n_runs_; }, wake_),
      comparison_({.model_folder = places_.model_folder,
                   .next_id = [this] { return ++n_runs_; },
                   .wake = wake_}),
      looks_(wake_),
      price_(wake_),
      race_(wake_),
      whatif_(wake_),
      attach_(wake_),
      lessons_({.folder =
                    [folder = places_.lessons_folder] {
                        if (!folder) throw Refused("refused.lesson.none"_t, {}, ErrorCode::World);
                        return folder();
                    },
                .scene = places_.scene_file,
                .model = places_.model_folder,
                .progress = places_.progress_file},
               wake_),
      start_({.scene_file = places_.scene_file,
              .model_folder = places_.model_folder,
              .next_id = [this] { return ++n_runs_; },
              .at_hand =
                  [this](const std::string& folder) {
                      return main_.session && main_.folder == folder
                                 ? main_.session->shared_model()
                                 : std::shared_ptr<const LoadedModel>();
                  },
              .is_coming =
                  [this](const std::string& folder) {
                      return opener_.waiting() && opener_.waiting()->folder == folder;
                  },
              .wake = wake_}) {}

RunCursor* LiveRun::run() const {
    if (main_.session) return main_.session.get();
    return recorded_.run().get();
}

// One frame: what is ready is taken, the wishes are carried out, what moves moves on, and
// describe() writes all of it where the window reads it.
void LiveRun::tick(AppState& state, double now) {
    auto& wishes = state.run.wishes;
    if (std::any_of(wishes.begin(), wishes.end(),
                    [](const Command& wish) { return wish.id == "run.cancel"; })) {
        wishes.clear();
        carry_out(state, {"run.cancel", {}});
    }
    bool of_sentence = false;
    const auto take = [&] {
        of_sentence = opener_.is_sentence();
        take_model(state, kFrameBudget);
        of_sentence = false;
        take_trace(state, kFrameBudget);
    };
    try {
        take();
        take_lesson(state, 0);
        while (!opener_.waiting() && !recorded_.busy() && !wishes.empty()) {
            const Command wish = wishes.front();
            wishes.erase(wishes.begin());
            carry_out(state, wish);
            take();
        }
        compare_unasked(state);
        comparison_.take(kFrameBudget);
        if (run()) driver_.play(state.run.playback, now);
        pursue(state, kFrameBudget);
        if (main_.session) comparison_.follow(*main_.session);
        record_further();
        look(state, kFrameBudget);
        if (main_.session) price_.follow(*main_.session, main_.id, state.run.focus.request);
    } catch (const Error& failed) {
        driver_.stop();
        state.run.playback.playing = false;
        say_refused(state, failed, of_sentence);
    }
    if (const auto refused = refused_in_scene())
        state.notice = Notice{.said = refused->said(), .refused = true};
    race_.tick(state.race, now, kFrameBudget);
    whatif_.tick(state.whatif, kFrameBudget);
    attach_.tick(state, now, kFrameBudget);
    follow_task(state);
    follow_lesson(state);
    if (state.start.open) lessons_.open_shelf();  // its second door says how many there are
    start_.follow(state.start, state.settings.reduced_motion, now, 0);
    describe(state);
}

// All frames in one: each part is waited for to its end, in the order of tick().
void LiveRun::finish(AppState& state, Refusals refusals) {
    const bool throws = refusals == Refusals::AreThrown;
    const auto throw_if = [throws](const Said& refused) {
        if (throws && !refused.empty()) throw Refused(refused, ErrorCode::World);
    };
    const auto settle_all = [&] {
        take_lesson(state, kPatience);
        take_model(state, kPatience);
        take_trace(state, kPatience);
        comparison_.take(kPatience);
        pursue(state, kPatience);
        comparison_.take(kPatience);  // a scene may ask for it once it is open
    };
    bool asks_lesson = false;
    for (const Command& wish : std::exchange(state.run.wishes, {})) {
        asks_lesson = asks_lesson || row_of(wish.id).owner == CommandOwner::Lesson;
        carry_out(state, wish);
        settle_all();
        if (throws && state.notice && state.notice->refused) throw Refused(state.notice->said);
    }
    settle_all();
    if (compare_unasked(state)) settle_all();

    // Both runs as far as they are recorded, and the second at the step of the first.
    record_further();
    while (settle_one_of({main_.session.get(), comparison_.session()})) record_further();
    if (const auto refused = refused_in_scene(); refused && throws)
        throw Refused(*refused);
    else if (refused)
        state.notice = Notice{.said = refused->said(), .refused = true};
    if (main_.session) comparison_.follow(*main_.session);
    while (settle_one_of({comparison_.session()})) comparison_.follow(*main_.session);

    // What is computed beside them.
    for (int i = 0; i < 2; ++i) look(state, kPatience);
    if (main_.session) {
        price_.follow(*main_.session, main_.id, state.run.focus.request);
        const PriceText text = state.run.price.text;
        const bool is_alone = state.only_panel == PanelId::Price;  // a picture of what it measures
        if (is_alone && price_.view().of(text).cannot.empty()) price_.measure(text);
        price_.finish();
    }

    // What has nothing to do with the run.
    if (state.only_panel == PanelId::Race) state.race.wanted = true;
    race_.finish(state.race);
    attach_.finish(state);
    throw_if(state.race.refused);
    whatif_.finish(state.whatif);
    for (const Said& refused : {state.whatif.refused, state.whatif.side().refused})
        throw_if(refused);

    // The lesson, which may lead the run to where its task is done.
    lessons_.finish_figure();
    for (int i = 0; i < 2; ++i) {
        follow_task(state);
        lessons_.finish_task();
        follow_task(state);
        pursue(state, kPatience);
    }
    follow_task(state);
    follow_lesson(state);
    if (asks_lesson) throw_if(lessons_.view().problem);
    if (state.start.open) lessons_.open_shelf();
    start_.follow(state.start, state.settings.reduced_motion, seconds_now(), kPatience);
    describe(state);
}

void LiveRun::open(Opening opening) {
    recorded_.stop();
    const bool is_at_hand = main_.session && opening.folder == main_.folder;
    opener_.open(std::move(opening), is_at_hand ? main_.session->shared_model() : nullptr);
}

void LiveRun::reopen(Scene scene, UndoHistory<Scene> undo, CursorDriver::WhenThere when_there) {
    // A scene that is still being played anew is not there yet: then its goal counts.
    const RunGoal goal = focus_.goal().value_or(RunGoal{main_.session->now().iteration});
    const std::string folder = places_.model_folder(scene.model);
    Opening opening{std::move(scene), main_.place, folder, goal, std::move(when_there)};
    opening.is_changed = opening.keeps_task = true;
    opening.undo = std::move(undo);
    if (folder != main_.folder && folder == opening.scene.model) opening.model_folder = folder;
    open(std::move(opening));
}

void LiveRun::take_model(AppState& state, double seconds) {
    if (auto ready = opener_.take(seconds))
        begin(state, std::move(ready->opening), std::move(ready->model));
}

void LiveRun::begin(AppState& state, Opening opening, std::shared_ptr<const LoadedModel> model) {
    check_weights(opening.scene, *model, opening.place);
    if (opening.check) opening.check(*model);
    // Also ends the guided minute, and leaves the page of the first start.
    if (opening.is_sentence) apply(state, {"layout.explore", {}});
    // A solution may have a smaller pool than the scene that it began with.
    if (opening.is_changed || opening.keeps_task)
        keep_known_blocks(opening.scene.settings, model->config());
    auto session = std::make_shared<RunSession>(std::move(model), opening.scene, opening.place);
    remember_files(state.settings, opening);
    if (!opening.keeps_comparison)  // what was looked at is of another run
        focus_.begin(opening.goal, state.run.focus);
    else
        focus_.begin_anew(opening.goal, state.run.focus, main_.session->now());
    view_.reset(), looks_.forget();
    recorded_.close();
    if (!opening.keeps_task) lessons_.end_task();
    if (!opening.keeps_comparison) work_.keep(opening.scene, opening.is_sentence);
    main_ = {.scene = std::move(opening.scene),
             .place = std::move(opening.place),
             .folder = std::move(opening.folder),
             .session = std::move(session),
             .id = ++n_runs_};
    undo_ = std::move(opening.undo);
    if (opening.is_changed) refusals_shown_of_ = main_.id;
    state.run.playback.playing = false;
    driver_.go(
        [iteration = opening.goal.iteration, moment = opening.moment](RunCursor& run) {
            const Moved moved = iteration ? run.try_to_iteration(*iteration) : run.try_to_end();
            if (moved == Moved::Yes && moment && *moment < run.moment()) run.to_moment(*moment);
            return moved;
        },
        std::move(opening.when_there));
    if (opening.keeps_comparison)
        comparison_.start_again(main_);
    else
        comparison_.end();
}

void LiveRun::take_trace(AppState& state, double seconds) {
    auto came = recorded_.take(seconds);
    if (!came) return;
    comparison_.end();
    view_.reset(), other_view_.reset();
    main_ = PlayedSide(), main_.id = came->id;
    looks_.forget(), undo_ = {};
    driver_.stop(), focus_.await_nobody();
    const Snapshot& now = recorded_.run()->now();
    state.run.history = std::move(came->history);
    state.run.playback.playing = false;
    state.run.charts.run = main_.id;
    state.run.focus = {};
    if (!now.running.empty()) state.run.focus.request = now.running.front();
    remember(state.settings.recent_scenes, came->path);
    if (!came->left_out.empty()) state.notice = Notice{.said = std::move(came->left_out)};
    if (came->step) refuse_beyond(now, *came->step);
}

void LiveRun::pursue(AppState& state, double seconds) {
    const double until = seconds_now() + seconds;
    const auto on = [&] { return Computing{run(), main_.session.get(), comparison_, wake_}; };
    while (const auto ended = kv::pursue(driver_, on(), until)) {
        if (*ended == Moved::NoFurther) state.run.playback.playing = false;
        focus_.arrive(state.run.focus, main_.session ? &main_.session->now() : nullptr);
        if (auto when_there = driver_.take_when_there()) when_there(state);
    }
}

// Records further while nothing else is asked for, and no question is open whose answer it shows.
void LiveRun::record_further() {
    if (!main_.session || driver_.has_goal() || opener_.waiting()) return;
    if (!lessons_.view().hides_future())
        record_ahead({run(), main_.session.get(), comparison_, wake_});
}

bool LiveRun::compare_unasked(const AppState& state) {
    if (state.docks() != LayoutName::Compare) return comparison_.leave_layout(), false;
    const bool is_at_rest = main_.session && !opener_.waiting() && !driver_.has_goal();
    return is_at_rest && comparison_.begin_usual(main_, undo_.before());
}

// What stands beside the run is computed beside it.
void LiveRun::look(const AppState& state, double seconds) {
    const bool is_quiet =
        main_.session && !main_.session->busy() && !opener_.waiting() && !driver_.has_goal();
    looks_.follow(main_.session ? &main_ : nullptr, comparison_.side(), state.run.focus.request,
                  is_quiet, seconds);
}

// What the engine refused of the commands that a scene brings; once for each scene that is opened.
std::optional<Refused> LiveRun::refused_in_scene() {
    if (!main_.session || refusals_shown_of_ == main_.id || main_.session->refusals().empty())
        return std::nullopt;
    refusals_shown_of_ = main_.id;
    return Refused("refused.scene.command"_t,
                   {{"file", shown(main_.place)}, {"why", main_.session->refusals().front()}},
                   ErrorCode::World);
}

// What is still done until the cursor stands where an opened scene is looked at.
std::optional<Preparing> LiveRun::preparing() const {
    if (!run()) {
        if (auto events = recorded_.preparing()) return events;
        return opener_.preparing();
    }
    if (!focus_.goal() || !main_.session || !driver_.has_goal()) return std::nullopt;
    return Preparing{.what = Preparing::What::Run,
                     .name = main_.scene.name,
                     .step = main_.session->trace().end().iteration,
                     .last = focus_.goal()->iteration};
}

// The run at the cursor as panels see it, and what the window has to know of it.
void LiveRun::describe(AppState& state) {
    RunState& shown = state.run;
    const PlayedSide* right = comparison_.side();
    view_.reset(), other_view_.reset();
    if (const auto& record = recorded_.run()) {
        view_.emplace(view_of(*record, main_.id, shown.focus));
        view_->owner = record;
    }
    if (main_.session) {
        view_.emplace(view_of(*main_.session, main_.id, shown.focus));
        view_->owner = main_.session;
        view_->can_undo = undo_.can_undo(), view_->can_redo = undo_.can_redo();
        view_->price = &price_.view();
        looks_.write_into(*view_, main_, right);
        shown.measuring = price_.busy();
    }
    if (right) {
        other_view_.emplace(view_of(*right->session, right->id, shown.focus));
        other_view_->owner = right->session;
        view_->change = &comparison_.changes()[0], other_view_->change = &comparison_.changes()[1];
    }
    shown.exists = run() != nullptr;
    shown.compared = right != nullptr;
    shown.loading = opener_.progress_to_show();
    if (!shown.loading) shown.loading = recorded_.progress_to_show();
    shown.own_work = main_.session ? work_.at(main_.scene, main_.id) : OwnWork();
    shown.preparing = preparing();
    shown.preparing_side = main_.session ? comparison_.preparing(*main_.session) : std::nullopt;
    if (view_) {
        if (focus_.meet(view_->now, shown.focus) && state.notice && state.notice->until_it_comes)
            state.notice.reset();
        focus_.keep_inside(*view_, shown.bounds, shown.focus);
    }
    if (std::exchange(step_begins_, false)) step_begun_ = tank_text(state);
}

bool LiveRun::under_way() const {
    return opener_.waiting() || lessons_.under_way() || recorded_.busy() ||
           comparison_.waits_for_model() || driver_.has_goal() || looks_.busy() ||
           start_.under_way() || race_.busy() || whatif_.busy() || attach_.busy();
}

std::optional<double> LiveRun::acts_next_at(const AppState& state) const {
    std::optional<double> first = run() ? driver_.acts_next_at(state.run.playback) : std::nullopt;
    for (const std::optional<double>& other :
         {race_.acts_next_at(state.race), attach_.acts_next_at(state),
          start_.acts_next_at(state.start, state.settings.reduced_motion, seconds_now())})
        if (other && (!first || *other < *first)) first = other;
    return first;
}

}  // namespace kv
