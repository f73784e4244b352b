// A step of a lesson on the run. LessonDesk leaves a TankSetup: a step that begins opens its scene
// at its moment, and the reveal moves the cursor.

#include <utility>

#include "app/live/lessons/keys.hpp"
#include "app/live/live_run.hpp"
#include "app/live/scene/view.hpp"

namespace kv {

// Tells the task what the tank has become; where the reader gave up, the cursor goes to where the
// task is done.
void LiveRun::follow_task(const AppState& state) {
    if (!lessons_.view().task) return;
    if (lessons_.task_is_over_recording()) return lessons_.follow_task(state.whatif.ask);
    if (!main_.session || opener_.waiting()) return;
    lessons_.follow_task(main_.scene, main_.id, main_.session->now());
    if (const auto goal = lessons_.take_task_goal())
        driver_.go([n = *goal](RunCursor& run) { return run.try_to_iteration(n); });
}

bool LiveRun::follow_lesson_file(AppState& state) {
    if (state.question || !lessons_.file_has_changed()) return false;
    apply(state, {"lesson.reload", {}});
    return true;
}

void LiveRun::take_lesson(AppState& state, double seconds) {
    if (auto setup = lessons_.take(seconds)) set_up_tank(state, *std::move(setup));
}

// Writes what keys and layout need to know, and keeps the notes of pages. What is wrong with a
// lesson stands in a panel of Learn; elsewhere it is a notice, or the lesson would just not come.
void LiveRun::follow_lesson(AppState& state) {
    if (state.layout == LayoutName::Learn) lessons_.open_shelf();
    if (auto problem = lessons_.take_problem(); problem && state.layout != LayoutName::Learn)
        state.notice = Notice{.said = *std::move(problem), .refused = true};
    NotesUi& notes = state.run.notes;
    if (notes.page.empty() && notes.of_pages.empty()) notes.of_pages = lessons_.notes();
    notes.keep();
    lessons_.keep_notes(notes.of_pages);
    state.run.lesson = lesson_keys(lessons_.view(), state.layout);
}

void LiveRun::set_up_tank(AppState& state, TankSetup setup) {
    state.run.playback.playing = false;
    if (!setup.recording.empty()) {  // the panels of Attach show it, in whatever layout they stand
        attach_.show_recording(state, setup.recording, setup.stand.at_s);
        if (setup.asks) state.whatif.ask = what_if_ask_of(setup.recording, *setup.asks);
        if (!setup.begins) return;
    }
    if (!setup.begins) {
        return driver_.go([stand = setup.stand](RunCursor& run) {
            const Moved moved = run.try_to_iteration(stand.iteration);
            if (moved == Moved::Yes && stand.moment < run.moment()) run.to_moment(stand.moment);
            return moved;
        });
    }
    step_begun_.reset();
    state.run.notes.keep();  // before its scene brings its own
    if (!setup.scene) {
        step_begins_ = true;
        state.run.notes.text.clear();  // they are those of the page before
        return arrange(state, setup);
    }
    Opening opening;
    opening.scene = *std::exchange(setup.scene, std::nullopt);
    opening.place = setup.place;
    opening.goal = {setup.stand.iteration};
    if (!setup.is_task) opening.moment = setup.stand.moment;
    opening.keeps_task = setup.is_task;
    opening.folder = places_.model_folder(opening.scene.model);
    opening.keeps_comparison = false;
    opening.when_there = [this, setup = std::move(setup)](AppState& shown) {
        apply_view(shown, main_.session->now(), main_.scene.view);
        if (!setup.names_view) look_at_the_living(shown.run.focus, main_.session->now());
        shown.run.charts.run = main_.id;
        if (setup.other) comparison_.start(main_, {.words = {}, .whole = setup.other});
        arrange(shown, setup);
        if (setup.is_task)
            step_begun_ = "";  // the tank of a task is none of a step
        else
            step_begins_ = true;
    };
    open(std::move(opening));
}

}  // namespace kv
