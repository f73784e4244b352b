#include "app/live/live_run.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "app/live/loading/seconds_now.hpp"
#include "app/live/scene/change.hpp"
#include "app/live/scene/full_cache.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/panels/view/facts.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/scene/branch.hpp"

namespace kv {
namespace {

constexpr double kFrameBudget = 0.008;  // seconds of a frame that may go into waiting for steps
constexpr std::uint64_t kSmallModel = 16'000'000;  // parameters of a model that is run unasked

void check_weights(const Scene& scene, const LoadedModel& model, const std::string& place) {
    if (!scene.sha256 || *scene.sha256 == model.loaded.sha256) return;
    throw Refused("refused.weights"_t, {{"file", shown(place)}}, ErrorCode::World);
}

}  // namespace

void refuse_beyond(const Snapshot& now, std::uint32_t asked, ErrorCode code) {
    if (now.iteration >= asked) return;
    throw Refused("refused.step.beyond"_t,
                  {{"n", with_commas(asked)}, {"last", with_commas(now.iteration)}}, code);
}

LiveRun::LiveRun(RunPlaces places, std::function<void()> wake)
    : places_(std::move(places)),
      wake_(std::move(wake)),
      loader_(wake_),
      recorded_([this] { return ++n_sessions_; }, wake_),
      comparison_({.model_folder = places_.model_folder,
                   .next_id = [this] { return ++n_sessions_; },
                   .wake = wake_}),
      proof_(wake_),
      look_(wake_),
      judging_(wake_),
      roofs_(wake_),
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
      start_(start_places()) {}

LiveRun::~LiveRun() = default;

void LiveRun::open(Opening opening) {
    loader_.stop();
    recorded_.stop();
    opening_ = std::move(opening);
    if (main_.session && opening_->folder == main_.folder) return;  // its model is at hand
    start_loading(loader_, opening_->folder,
                  [settings = opening_->scene.settings](const ModelConfig& config) {
                      return pool_bytes(config, settings);
                  });
}

// The scene as it is now changed, with the cursor where it stands.
void LiveRun::reopen(Scene scene, Playhead::Then then) {
    // Of a scene that is still being played anew, the place where it goes.
    const Goal goal = goes_to_.value_or(Goal{main_.session->now().iteration});
    const std::string folder = places_.model_folder(scene.model);
    Opening opening{std::move(scene), place_, folder, goal, std::move(then)};
    opening.is_changed = opening.keeps_task = true;
    if (folder != main_.folder && folder == opening.scene.model) opening.model_folder = folder;
    open(std::move(opening));
}

void LiveRun::begin(AppState& state, Opening opening, std::shared_ptr<const LoadedModel> model) {
    check_weights(opening.scene, *model, opening.place);
    if (opening.check) opening.check(*model);
    if (opening.is_sentence) apply(state, {"layout.explore", {}});
    // A solution may have a smaller pool than the scene that it began with.
    if (opening.is_changed || opening.keeps_task)
        keep_known_blocks(opening.scene.settings, model->config());
    auto session = std::make_unique<RunSession>(std::move(model), opening.scene, opening.place);
    const auto absolute = [](const std::string& path) {
        return std::filesystem::absolute(path).lexically_normal().string();
    };
    if (opening.scene_file) remember(state.settings.recent_scenes, absolute(*opening.scene_file));
    if (opening.model_folder)
        remember(state.settings.recent_models, absolute(*opening.model_folder));
    goes_to_ = opening.goal;
    if (!opening.keeps_comparison)  // what was looked at is of another run
        kept_focus_.reset(), state.run.focus = RunFocus();
    else if (const RunFocus& focus = state.run.focus;
             !kept_focus_ && main_.session &&
             focus.request.index() < main_.session->now().requests.size())
        kept_focus_ = {main_.session->now().requests[focus.request.index()].name, focus};
    view_.reset();
    main_.session = std::move(session);
    recorded_.close();
    main_.id = ++n_sessions_;
    if (opening.is_changed) told_ = main_.id;
    if (!opening.keeps_task) lessons_.end_task();
    if (!opening.keeps_comparison) work_.keep(opening.scene, opening.is_sentence);
    main_.scene = std::move(opening.scene);
    place_ = std::move(opening.place), main_.folder = std::move(opening.folder);
    look_.forget();
    proof_.forget();
    state.run.playback.playing = false;
    playhead_.go(
        [iteration = opening.goal.iteration, moment = opening.moment](RunCursor& run) {
            const Moved moved = iteration ? run.try_to_iteration(*iteration) : run.try_to_end();
            if (moved == Moved::Yes && moment && *moment < run.moment()) run.to_moment(*moment);
            return moved;
        },
        std::move(opening.then));
    // A changed scene is compared as the one before it was.
    std::optional<SceneChange> change = comparison_.repeatable();
    if (!opening.keeps_comparison || !change) return comparison_.end();
    try {
        comparison_.start(main_, place_, *std::move(change), comparison_.asked_by());
    } catch (const Error&) {
        comparison_.end();  // the change is no change of this scene
    }
}

// While a changed scene is played anew its requests are not there yet; once the cursor is back,
// what was looked at is looked at again.
void LiveRun::return_focus(RunFocus& focus) {
    const auto kept = std::exchange(kept_focus_, {});
    if (!kept || !main_.session) return;
    const auto request = request_named(main_.session->now(), kept->request);
    if (!request) return;
    focus = kept->focus;
    focus.request = *request;
}

void LiveRun::take_model(AppState& state, double seconds) {
    if (!opening_) return;
    std::shared_ptr<const LoadedModel> model;
    if (loader_.busy()) {
        try {
            model = loader_.take(seconds);
        } catch (...) {
            opening_.reset();
            throw;
        }
        if (!model) return;
    } else {
        model = main_.session->shared_model();
    }
    begin(state, *std::exchange(opening_, std::nullopt), std::move(model));
}

void LiveRun::take_trace(AppState& state, double seconds) {
    auto came = recorded_.take(seconds);
    if (!came) return;
    comparison_.end();
    view_.reset(), other_view_.reset();
    main_.session.reset(), look_.forget();
    main_.id = came->id;
    state.run.history = std::move(came->history);
    main_.scene = {}, place_.clear(), main_.folder.clear();
    history_.clear();
    proof_.forget(), playhead_.stop(), awaited_.reset();
    const Snapshot& now = recorded_.run()->now();
    state.run.playback.playing = false;
    state.run.charts.run = main_.id;
    state.run.focus = {};
    if (!now.running.empty()) state.run.focus.request = now.running.front();
    remember(state.settings.recent_scenes, came->path);
    if (!came->left_out.empty()) state.notice = Notice{.said = std::move(came->left_out)};
    if (came->step) refuse_beyond(now, *came->step);
}

void LiveRun::require_engine() const {
    if (main_.session) return;
    throw Refused("refused.trace.no_engine"_t, {{"file", shown(recorded_.run()->name())}});
}

// As far towards the goal as the time allows.
void LiveRun::pursue(AppState& state, double seconds) {
    const double until = seconds_now() + seconds;
    while (run() && playhead_.has_goal()) {
        if (main_.session && !main_.session->settle(std::max(0.0, until - seconds_now()))) return;
        const Moved moved = playhead_.advance(*run());
        if (moved == Moved::NeedsMore) {
            if (seconds_now() > until) return wake_ ? wake_() : void();
            if (main_.session->can_run_ahead())
                main_.session->start_ahead(wake_);
            else if (!comparison_.advance(until - seconds_now()))
                return;  // the goal waits for the other side
            continue;
        }
        if (moved == Moved::AtTheEnd) state.run.playback.playing = false;
        goes_to_.reset();
        return_focus(state.run.focus);
        if (auto then = playhead_.take_then()) then(state);
    }
}

// While nothing else is asked for, the run of a small model is recorded to its end, so that the
// timeline shows what is to come. By size, not by the clock: the same scene gives the same picture.
void LiveRun::record_ahead() {
    constexpr std::uint32_t kFarAhead = 4'096;
    if (!main_.session || playhead_.has_goal() || opening_ || lessons_.view().hides_future())
        return;
    const auto is_wanted = [&](const RunSession& run) {
        return run.model().loaded.parameters <= kSmallModel &&
               run.trace().end().iteration < main_.session->now().iteration + kFarAhead;
    };
    for (RunSession* run : {main_.session.get(), comparison_.session()})
        if (run != nullptr && run->settle(0) && run->can_run_ahead() && is_wanted(*run))
            run->start_ahead(wake_);
}

// Compare opens with something beside the run, once for each run and visit: whoever ends the
// comparison is not given another one. A large model has no second pool unasked.
bool LiveRun::hold_against(const AppState& state) {
    if (state.docks() != LayoutName::Compare) return held_.reset(), false;
    if (!main_.session || opening_ || playhead_.has_goal() || held_ == main_.id) return false;
    held_ = main_.id;
    if (main_.session->model().loaded.parameters > kSmallModel) return false;
    const bool has_side = comparison_.side() != nullptr || comparison_.waits_for_model();
    if (has_side && !comparison_.is_usual()) return false;
    auto change = usual_change(main_.scene, history_.before());
    if (!change) return false;
    const auto shown = comparison_.repeatable();
    if (has_side && shown && shown->words == change->words) return false;
    comparison_.start(main_, place_, *std::move(change), Comparison::AskedBy::Compare);
    return true;
}

// What the engine refused of the commands that a scene brings, once for each scene that is opened.
std::optional<Refused> LiveRun::refused_in_scene() {
    if (!main_.session || told_ == main_.id || main_.session->refusals().empty())
        return std::nullopt;
    told_ = main_.id;
    return Refused("refused.scene.command"_t,
                   {{"file", shown(place_)}, {"why", main_.session->refusals().front()}},
                   ErrorCode::World);
}

RunCursor* LiveRun::run() const {
    if (main_.session) return main_.session.get();
    return recorded_.run().get();
}

void LiveRun::describe(AppState& state) {
    state.run.exists = run() != nullptr;
    state.run.loading = loader_.busy() ? loader_.progress_to_show() : recorded_.progress_to_show();
    view_.reset(), other_view_.reset();
    state.run.own_work = main_.session ? work_.at(main_.scene, main_.id) : OwnWork();
    if (const auto& record = recorded_.run()) {
        view_.emplace(view_of(*record, main_.id, state.run.focus));
        view_->owner = record;
    }
    if (main_.session) {
        view_.emplace(view_of(*main_.session, main_.id, state.run.focus));
        view_->owner = main_.session;
        view_->can_undo = history_.can_undo(), view_->can_redo = history_.can_redo();
        view_->attention = look_.attention();
        view_->full = look_.full();
        view_->in_full = judging_.text_for(judged());
        view_->roofs = roofs_.roofs();
        view_->price = &price_.view();
        state.run.measuring = price_.busy();
        view_->proof = proof_.at(main_.session->now());
    }
    if (const PlayedSide* right = comparison_.side()) {
        other_view_.emplace(view_of(*right->session, right->id, state.run.focus));
        other_view_->owner = right->session;
        view_->change = &comparison_.changes()[0], other_view_->change = &comparison_.changes()[1];
    }
    state.run.compared = comparison_.side() != nullptr;
    state.run.preparing = preparing();
    state.run.preparing_side = main_.session ? comparison_.preparing(*main_.session) : std::nullopt;
    if (!view_) return;
    if (const auto there = awaited_ ? request_named(view_->now, *awaited_) : std::nullopt) {
        RunFocus& focus = state.run.focus;
        focus.request = *there, focus.token.reset(), focus.block.reset();
        if (state.notice && state.notice->until_it_comes) state.notice.reset();
        awaited_.reset();
    }
    describe_run(state.run);
}

// The bounds of what can be selected, and the selection inside them.
void LiveRun::describe_run(RunState& run) {
    const Snapshot& now = view_->now;
    RunBounds& bounds = run.bounds;
    bounds.requests.resize(now.requests.size());
    for (std::size_t i = 0; i < now.requests.size(); ++i) bounds.requests[i] = now.requests[i].name;
    const KvLayout& layout = view_->layout;
    bounds.n_layers = std::max(1u, layout.n_layers);
    bounds.n_kv_heads = std::max(1u, layout.n_kv_heads);
    bounds.n_heads = std::max(1u, static_cast<std::uint32_t>(view_->model.n_heads));
    bounds.head_dim = std::max(1u, layout.k.dim), bounds.n_blocks = layout.n_blocks;
    RunFocus& focus = run.focus;
    focus.layer = std::min(focus.layer, bounds.n_layers - 1);
    focus.kv_head = std::min(focus.kv_head, bounds.n_kv_heads - 1);
    focus.query_head = std::min(focus.query_head, bounds.n_heads - 1);
    focus.dim = std::min(focus.dim, bounds.head_dim - 1);
    away_.settle(view_->id, now.requests.size(), focus);
    if (focus.block && focus.block->value >= layout.n_blocks) focus.block.reset();
}

// Everything that is under way, and nothing of what has been shown.
void LiveRun::cancel(AppState& state) {
    loader_.stop();
    recorded_.stop();
    opening_.reset();
    if (comparison_.waits_for_model()) comparison_.end();
    price_.cancel();
    playhead_.stop();
    // What is computed so far is what can be shown.
    if (goes_to_ && main_.session)
        playhead_.go([](RunCursor& run) { return run.to_moment(run.trace().size()), Moved::Yes; });
    kept_focus_.reset(), goes_to_.reset();
    state.run.playback.playing = false;
}

void LiveRun::tick(AppState& state, double now) {
    auto& wishes = state.run.wishes;
    bool sentence = false;
    if (std::any_of(wishes.begin(), wishes.end(),
                    [](const Command& wish) { return wish.id == "run.cancel"; })) {
        wishes.clear();
        cancel(state);
    }
    try {
        sentence = opening_ && opening_->is_sentence;
        take_model(state, kFrameBudget);
        sentence = false;
        take_trace(state, kFrameBudget);
        take_lesson(state, 0);
        while (!opening_ && !recorded_.busy() && !state.run.wishes.empty()) {
            const Command wish = state.run.wishes.front();
            state.run.wishes.erase(state.run.wishes.begin());
            carry_out(state, wish);
            sentence = opening_ && opening_->is_sentence;
            take_model(state, kFrameBudget);
            sentence = false;
            take_trace(state, kFrameBudget);
        }
        hold_against(state);
        comparison_.take(kFrameBudget);
        if (run()) playhead_.play(state.run.playback, now);
        pursue(state, kFrameBudget);
        if (main_.session) comparison_.follow(*main_.session);
        record_ahead();
        look(state, kFrameBudget);
        if (main_.session) price_.follow(*main_.session, main_.id, focused_);
    } catch (const Error& failed) {
        refuse(state, failed, sentence);
    }
    if (const auto refused = refused_in_scene())
        state.notice = Notice{.said = refused->said(), .refused = true};
    race_.tick(state.race, now, kFrameBudget);
    whatif_.tick(state.whatif, kFrameBudget);
    attach_.tick(state, now, kFrameBudget);
    follow_task(state);
    follow_lesson(state);
    follow_start(state, now, 0);
    describe(state);
}

void LiveRun::finish(AppState& state, Refusals refusals) {
    constexpr double kLong = 1e6;
    const auto settle_all = [&] {
        take_lesson(state, kLong);
        take_model(state, kLong);
        take_trace(state, kLong);
        comparison_.take(kLong);
        pursue(state, kLong);
        comparison_.take(kLong);  // a scene may ask for it once it is open
    };
    bool asks_lesson = false;
    for (const Command& wish : std::exchange(state.run.wishes, {})) {
        asks_lesson = asks_lesson || row_of(wish.id).owner == CommandOwner::Lesson;
        carry_out(state, wish);
        settle_all();
        if (refusals == Refusals::AreThrown && state.notice && state.notice->refused)
            throw Refused(state.notice->said);
    }
    settle_all();
    if (hold_against(state)) settle_all();
    const auto is_busy = [](const RunSession* run) { return run != nullptr && run->busy(); };
    for (record_ahead(); is_busy(main_.session.get()) || is_busy(comparison_.session());
         record_ahead())
        (is_busy(main_.session.get()) ? main_.session.get() : comparison_.session())->settle(kLong);
    if (const auto refused = refused_in_scene(); refused && refusals == Refusals::AreThrown)
        throw *refused;
    else if (refused)
        state.notice = Notice{.said = refused->said(), .refused = true};
    if (main_.session) comparison_.follow(*main_.session);
    while (is_busy(comparison_.session())) {
        comparison_.session()->settle(kLong);
        comparison_.follow(*main_.session);
    }
    for (int i = 0; i < 2; ++i) look(state, kLong);
    finish_price(state);
    if (state.only_panel == PanelId::Race) state.race.wanted = true;
    race_.finish(state.race);
    attach_.finish(state);
    if (refusals == Refusals::AreThrown && !state.race.refused.empty())
        throw Refused(state.race.refused, ErrorCode::World);
    whatif_.finish(state.whatif);
    for (const Said& refused : {state.whatif.refused, state.whatif.side().refused})
        if (refusals == Refusals::AreThrown && !refused.empty())
            throw Refused(refused, ErrorCode::World);
    lessons_.finish_figure();
    for (int i = 0; i < 2; ++i) {  // whoever gave up is led to where it is done
        follow_task(state);
        lessons_.finish_task();
        follow_task(state);
        pursue(state, kLong);
    }
    follow_task(state);
    follow_lesson(state);
    if (asks_lesson && refusals == Refusals::AreThrown && !lessons_.view().problem.empty())
        throw Refused(lessons_.view().problem, ErrorCode::World);
    follow_start(state, seconds_now(), kLong);
    describe(state);
}

Judging::Asked LiveRun::judged() const {
    return {main_.session ? &main_ : nullptr, comparison_.side(), place_, focused_};
}

// What stands beside the run is computed beside it.
void LiveRun::look(const AppState& state, double seconds) {
    focused_ = state.run.focus.request;
    proof_.take(seconds);
    look_.follow(main_.session.get(), focused_, seconds);
    judging_.follow(judged(), seconds);
    const bool quiet = main_.session && !main_.session->busy() && !opening_ &&
                       !playhead_.has_goal() && !look_.busy();
    if (quiet) roofs_.follow(main_.session->settings().backend);
}

// A picture of the panel alone is one of what it measures.
void LiveRun::finish_price(AppState& state) {
    if (!main_.session) return;
    price_.follow(*main_.session, main_.id, focused_);
    const PriceText text = state.run.price.text;
    if (state.only_panel == PanelId::Price && price_.view().of(text).cannot.empty())
        price_.measure(text);
    price_.finish();
}

bool LiveRun::under_way() const {
    return opening_ || lessons_.under_way() || recorded_.busy() || comparison_.waits_for_model() ||
           playhead_.has_goal() || look_.busy() || proof_.busy() || judging_.busy() ||
           start_.under_way() || race_.busy() || whatif_.busy() || attach_.busy();
}

std::optional<double> LiveRun::due(const AppState& state) const {
    std::optional<double> first = run() ? playhead_.due(state.run.playback) : std::nullopt;
    for (const std::optional<double>& other :
         {race_.due(state.race), attach_.due(state),
          start_.due(state.start, state.settings.reduced_motion, seconds_now())})
        if (other && (!first || *other < *first)) first = other;
    return first;
}

}  // namespace kv
