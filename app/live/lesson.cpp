// A lesson's step on the run: its scene is opened at its moment, and the reveal moves the cursor.

#include <algorithm>
#include <utility>

#include "app/live/live_run.hpp"
#include "app/live/scene/view.hpp"

namespace kv {
namespace {

// A scene is written for one moment, and a step may stand at another one, where the request that
// the scene looks at has gone.
void look_at_the_living(RunFocus& focus, const Snapshot& now) {
    const std::size_t i = focus.request.index();
    if (i >= now.requests.size() || now.requests[i].state != RequestState::Finished) return;
    if (now.running.empty()) return;
    focus = RunFocus();
    focus.request = now.running.back();
}

List<PanelId> panels_named(const LessonView& view) {
    List<PanelId> panels;
    for (const std::string& name : view.shown.panels)
        if (const PanelRow* info = find_panel(name); info && view.lesson)
            panels.push_back(info->id);
    return panels;
}

// In front of an audience the answer of an exercise is revealed as well.
bool may_reveal(const LessonView& view, LayoutName layout) {
    const auto exercise = view.exercise_in_front();
    if (layout == LayoutName::Present && exercise) return !view.exercises[*exercise].answered;
    return view.may_reveal();
}

// A task is under way where it is seen, beside the run and not beside its text.
bool is_in_tank(const LessonView& view, LayoutName layout) {
    return view.task && (layout == LayoutName::Explore || layout == LayoutName::Compare);
}

bool may_hint_in_tank(const LessonView& view, LayoutName layout) {
    return is_in_tank(view, layout) && !view.task->hinted;
}

// Two servers stand side by side, and the reader is to find out what one of them was set to.
bool asks_settings(const LessonView& view) {
    if (!view.hides_future() || !has_figure(view)) return false;
    const auto* service = std::get_if<ServiceFacts>(&*view.shown.figure);
    return service != nullptr && service->servers.size() > 1;
}

RecordingAsk asked_of(const WhatIfWish& wish) {
    RecordingAsk ask{.codec = wish.codec, .host_bytes = wish.host_bytes};
    ask.other_model = wish.today.has_value() || wish.model != WhatIfModel();
    return ask;
}

// The prediction, from 1, whose answer is typed and not chosen.
std::size_t types_to(const LessonView& view) {
    const auto at = view.asks();
    return at && view.predictions[*at].asked.choices.empty() ? *at + 1 : 0;
}

}  // namespace

void LiveRun::carry_out_lesson(AppState& state, const Command& wish) {
    lessons_.carry_out(wish);
    if (wish.id == "lesson.close") {
        if (state.layout != LayoutName::Learn) state.layout = LayoutName::Learn;
        state.bring_to_front = {PanelId::Lesson};
    }
    if (wish.id == "task.open" && lessons_.view().task && state.layout == LayoutName::Learn)
        apply(state, {"layout.explore", {}});
    take_lesson(state, 0);
}

// While a task is done in the tank, only what it allows may be changed.
void LiveRun::require_allowed(const Scene& next) const {
    if (const std::string why = lessons_.task_refusal(next); !why.empty())
        throw Refused("refused.task.change"_t, {{"why", why}});
}

// What the tank has become is judged beside it; whoever gave up is shown where it is done.
void LiveRun::follow_task(const AppState& state) {
    if (lessons_.view().task && lessons_.task_is_over_recording()) {
        if (state.whatif.wish.file == lessons_.recording())
            lessons_.follow_task(asked_of(state.whatif.wish));
        return;
    }
    if (!main_.session || opening_ || !lessons_.view().task) return;
    lessons_.follow_task(main_.scene, main_.id, main_.session->now());
    if (const auto goal = lessons_.take_task_goal())
        playhead_.go([n = *goal](RunCursor& run) { return run.try_to_iteration(n); });
}

bool LiveRun::follow_lesson_file(AppState& state) {
    if (state.question || !lessons_.file_has_changed()) return false;
    apply(state, {"lesson.reload", {}});
    return true;
}

void LiveRun::take_lesson(AppState& state, double seconds) {
    if (auto ready = lessons_.take(seconds)) show_lesson(state, std::move(*ready));
}

// Learn has a panel that says it; elsewhere a lesson that was asked for would just not come.
void LiveRun::tell_lesson_problem(AppState& state) {
    const bool is_broken = !lessons_.view().problem.empty();
    if (is_broken && !lesson_is_broken_ && state.layout != LayoutName::Learn)
        state.notice = Notice{.said = lessons_.view().problem, .refused = true};
    lesson_is_broken_ = is_broken;
}

// What keys and layout need to know.
void LiveRun::follow_lesson(AppState& state) {
    if (state.layout == LayoutName::Learn) lessons_.open_shelf();
    const LessonView& view = lessons_.view();
    tell_lesson_problem(state);
    NotesUi& notes = state.run.notes;
    if (notes.page.empty() && notes.of_pages.empty()) notes.of_pages = lessons_.notes();
    notes.keep();
    lessons_.keep_notes(notes.of_pages);
    const bool open = view.lesson.has_value();
    state.run.lesson = {
        .open = open,
        .asks = open && !view.revealed && !view.predictions.empty(),
        .figure = has_figure(view),
        .asks_settings = asks_settings(view),
        .page = open && view.is_page(),
        .recording = open && !view.shown.recording.empty(),
        .may_reveal = open && may_reveal(view, state.layout),
        .may_hint = open && (may_hint_in_tank(view, state.layout) || view.may_hint()),
        .in_tank = is_in_tank(view, state.layout),
        .types_to = types_to(view),
        .typed = types_to(view) > 0 ? view.predictions[types_to(view) - 1].said.value_or("")
                                    : std::string(),
        .panels = panels_named(view),
        .leaves_on = open && view.is_at_last_face(),
        .leaves_back = open && view.face == 0};
}

// The panels of Attach are drawn from it, whatever layout they stand in.
void LiveRun::show_recording(AppState& state, const LessonStage& stage) {
    attach_.show_recording(state, stage.recording, stage.stand.at_s);
    if (!stage.asks) return;
    WhatIfWish wish;
    wish.file = stage.recording;
    wish.codec = stage.asks->codec, wish.host_bytes = stage.asks->host_bytes;
    state.whatif.wish = wish;
}

void LiveRun::show_lesson(AppState& state, LessonStage stage) {
    state.run.playback.playing = false;
    if (!stage.recording.empty()) show_recording(state, stage);
    if (!stage.begins && !stage.recording.empty()) return;
    if (!stage.begins) {
        return playhead_.go([stand = stage.stand](RunCursor& run) {
            const Moved moved = run.try_to_iteration(stand.iteration);
            if (moved == Moved::Yes && stand.moment < run.moment()) run.to_moment(stand.moment);
            return moved;
        });
    }
    state.run.notes.keep();  // before its scene brings its own
    const auto arrange = [layout = stage.layout, panels = stage.panels, page = stage.page,
                          weighs = stage.is_task && stage.asks](AppState& shown) {
        // Whoever presents a lesson goes on presenting it.
        if (shown.layout != LayoutName::Present)
            if (const auto named = layout_named(layout)) shown.layout = *named;
        // Code that was asked for together with the step stays in front of its words.
        const bool with_code =
            std::count(shown.bring_to_front.begin(), shown.bring_to_front.end(), PanelId::Code) > 0;
        shown.bring_to_front = {with_code ? PanelId::Code : PanelId::Lesson};
        for (const std::string& panel : panels)
            if (const PanelRow* info = find_panel(panel)) shown.bring_to_front.push_back(info->id);
        if (weighs) shown.whatif.spread = true, shown.bring_to_front = {PanelId::WhatIf};
        shown.run.notes.turn_to(page);
    };
    if (!stage.scene) {
        state.run.notes.text.clear();  // they are those of the page before
        return arrange(state);
    }
    Opening opening;
    opening.scene = std::move(*stage.scene);
    opening.place = stage.place;
    opening.goal = {stage.stand.iteration};
    if (!stage.is_task) opening.moment = stage.stand.moment;
    opening.keeps_task = stage.is_task;
    opening.folder = places_.model_folder(opening.scene.model);
    opening.keeps_comparison = false;
    opening.then = [this, arrange, names_view = stage.names_view,
                    other = std::move(stage.other)](AppState& shown) {
        history_.clear();
        apply_view(shown, main_.session->now(), main_.scene.view);
        if (!names_view) look_at_the_living(shown.run.focus, main_.session->now());
        shown.run.charts.run = main_.id;
        if (other) comparison_.start(main_, place_, {.words = {}, .whole = other});
        arrange(shown);
    };
    open(std::move(opening));
}

}  // namespace kv
