#pragma once
// The run behind the window. The window's wishes (commands that only the owner of the run can carry
// out) come in, the panels' view goes out; between them stand a scene and the session that plays
// it. Changing the past plays the scene anew, so that what is shown is always a run that could be
// played again from its scene. Each part of the work has an owner with a state of its own, and
// LiveRun wires them.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/frame/state/app_state.hpp"
#include "app/live/ahead.hpp"
#include "app/live/attach/servers.hpp"
#include "app/live/comparison.hpp"
#include "app/live/cursor_driver.hpp"
#include "app/live/lessons/desk.hpp"
#include "app/live/loading/recorded_source.hpp"
#include "app/live/looks/beside.hpp"
#include "app/live/places.hpp"
#include "app/live/price/desk.hpp"
#include "app/live/race/desk.hpp"
#include "app/live/run_opener.hpp"
#include "app/live/scene/own_work.hpp"
#include "app/live/scene/returned_focus.hpp"
#include "app/live/start/picture.hpp"
#include "app/live/whatif/desk.hpp"
#include "core/base/undo_history.hpp"

namespace kv {

class LiveRun {
public:
    // `wake` is called on other threads when something is ready for the next tick.
    LiveRun(RunPlaces places, std::function<void()> wake);
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    // `word`: a scene's name or file, a picture of one, or a file of events, which is shown as it
    // was recorded, without an engine. `step` and `model`: instead of the scene's own.
    void open_scene(const std::string& word, std::optional<std::uint32_t> step = {},
                    const std::optional<std::string>& model = {});
    // Opens the same in the layout that it was saved in, or in another; a picture is opened with
    // its commands.
    void open_as_shown(const std::string& word, std::optional<std::uint32_t> step = {},
                       const std::optional<std::string>& model = {},
                       std::optional<LayoutName> layout = {});

    // Called once per frame, before it is drawn. What went wrong becomes a notice.
    void tick(AppState& state, double now);
    // The roofs of what the run computes on, as soon as nothing else does. Pictures never ask.
    void measure_machine() { looks_.measure_machine(); }
    // For pictures: waits until nothing is under way any more. Throws what went wrong; what the
    // engine refuses stays a notice, or is thrown as well.
    enum class Refusals : std::uint8_t { AreNotices, AreThrown };
    void finish(AppState& state, Refusals refusals = Refusals::AreNotices);

    // Valid until the next tick; null while there is no run.
    const RunView* view() const { return view_ ? &*view_ : nullptr; }
    const RunView* other_view() const { return other_view_ ? &*other_view_ : nullptr; }
    const LessonView& lesson() const { return lessons_.view(); }
    // The small run of the page that a first start opens.
    const StartView& start() const { return start_.view(); }
    // A lesson whose file was written anew is read again, unless a question is open; true then.
    bool follow_lesson_file(AppState& state);
    // The time (seconds_now) at which it next has something to do; none: it waits for a person or
    // for a thread.
    std::optional<double> acts_next_at(const AppState& state) const;
    bool under_way() const;
    const Scene* scene() const { return main_.session ? &main_.scene : nullptr; }
    // The scene that shows the present view again; nothing while there is no run.
    std::optional<Scene> scene_as_shown(const AppState& state) const;
    // What a link to what is shown has to say: nothing, the step of the lesson as it began, or the
    // scene as shown; a recording has none.
    enum class LinkOf : std::uint8_t { Page, Lesson, Scene, Recording };
    LinkOf link_of(const AppState& state) const;
    // A comparison is looked at that no scene can say.
    bool leaves_comparison_out(const AppState& state) const;
    // The scene's own view, at the cursor as it stands: another step may have other requests.
    void apply_scene_view(AppState& state) const;
    // The scene as it was opened, with the weights that play it.
    std::optional<Scene> scene_as_opened() const;
    // Whether a command of the table has a row in wishes.cpp; asked by tests. Commands of lessons
    // have none.
    static bool carries_out(CommandId id);

private:
    struct Wishes;  // what each command does: wishes.cpp
    void carry_out(AppState& state, const Command& wish);
    // What the cursor stands in: a session, or what was read from a file; null while there is none.
    RunCursor* run() const;

    // What is asked for becomes the run once its model, or its file of events, has been read.
    void open(Opening opening);
    // The run as far as it went, changed.
    void reopen(Scene scene, UndoHistory<Scene> undo, CursorDriver::WhenThere when_there = {});
    void take_model(AppState& state, double seconds);
    void take_trace(AppState& state, double seconds);
    void begin(AppState& state, Opening opening, std::shared_ptr<const LoadedModel> model);
    void look_as_scene_says(AppState& state);

    // lesson.cpp: a step of a lesson on the run
    void take_lesson(AppState& state, double seconds);
    void set_up_tank(AppState& state, TankSetup setup);
    void follow_lesson(AppState& state);
    void follow_task(const AppState& state);
    bool looks_at_comparison(const AppState& state) const;
    std::string tank_text(const AppState& state) const;  // the scene as shown in any layout

    // What moves from frame to frame, and what the window is told of it.
    void pursue(AppState& state, double seconds);
    void record_further();
    bool compare_unasked(const AppState& state);  // true: a comparison was begun
    void look(const AppState& state, double seconds);
    std::optional<Refused> refused_in_scene();
    std::optional<Preparing> preparing() const;
    void describe(AppState& state);

    RunPlaces places_;
    std::function<void()> wake_;
    std::uint64_t n_runs_ = 0;
    std::uint64_t refusals_shown_of_ = 0;  // the run whose refused commands have been shown

    RunOpener opener_;         // waits for its model
    PlayedSide main_;          // the scene that plays
    RecordedSource recorded_;  // or a file of events in place of it
    UndoHistory<Scene> undo_;
    WorkWatch work_;
    ReturnedFocus focus_;
    CursorDriver driver_;  // where the cursor goes
    Comparison comparison_;
    LooksBeside looks_;
    PriceDesk price_;
    RaceDesk race_;
    WhatIfDesk whatif_;
    ServersDesk attach_;
    LessonDesk lessons_;
    StartPicture start_;
    // The tank when its lesson's step began; none before that. And that it has begun in this frame.
    std::optional<std::string> step_begun_;
    bool step_begins_ = false;

    std::optional<RunView> view_, other_view_;
};

}  // namespace kv
