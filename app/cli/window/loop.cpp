#include "app/cli/window/loop.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/live/loading/seconds_now.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

// What the frame asked for that only the owner of the surface can do.
void carry_out_for_surface(Screen& screen, WindowExports& exports, NotesWindow& notes) {
    AppState& state = screen.frame().state();
    try {
        if (std::exchange(state.toggle_notes_window, false)) notes.toggle(screen);
    } catch (const Error& refused) {
        state.notice = Notice{.said = said_of(refused), .refused = true};
    }
    if (std::exchange(state.toggle_fullscreen, false))
        screen.surface().set_fullscreen(!screen.surface().fullscreen());
    exports.carry_out(screen);
}

// A scene is played; a folder is a model for the scene that plays; a trace dropped on the race is
// its workload, one dropped on What if is weighed, one dropped on Attach is shown, and one dropped
// on two servers becomes the right one.
CommandId meant_by_dropping(const AppState& state, const std::string& path) {
    std::error_code unknown;  // what cannot be looked at is refused by whoever opens it
    if (std::filesystem::is_directory(path, unknown)) return "file.open_model";
    const auto ending = std::filesystem::path(path).extension();
    const bool is_workload = ending == ".csv" || ending == ".jsonl";
    if (is_workload && state.docks() == LayoutName::WhatIf) return "whatif.file";
    if (is_workload && state.layout == LayoutName::Attach) return "attach.file";
    if (is_workload && state.docks() == LayoutName::Servers) return "attach.against";
    return is_workload && state.docks() == LayoutName::Race ? CommandId("race.workload")
                                                            : CommandId("file.open_scene");
}
void open_dropped(Screen& screen) {
    for (const std::string& path : screen.surface().take_dropped()) {
        AppState& state = screen.frame().state();
        state.notice.reset();  // that was about another file
        apply_or_explain(state, {meant_by_dropping(state, path), path});
    }
}

// Of two times to wait, either of which may have no limit.
double earlier(double a, double b) {
    if (a == Surface::kNoLimit) return b;
    return b == Surface::kNoLimit ? a : std::min(a, b);
}

// Play goes on by itself; between two of its steps nothing moves.
double until_next_step(const Screen& screen) {
    const auto at = screen.run().acts_next_at(screen.frame().state());
    return at ? std::max(0.0, *at - seconds_now()) : Surface::kNoLimit;
}
bool is_due(const Screen& screen) {
    const PrefixUi& prefix = screen.frame().state().run.prefix;
    return until_next_step(screen) == 0.0 || prefix.wants_frame_after(ImGui::GetFrameCount());
}
// A bar that is to leave is looked after now and then.
bool awaits_bar(const Screen& screen) {
    const AppState& state = screen.frame().state();
    return state.layout == LayoutName::Present && state.present_bar.shown;
}
double sleep_within(const Screen& screen, double longest) {
    constexpr double kLook = 0.25;  // a bar leaves by the mouse standing still: no event tells
    const double bar = awaits_bar(screen) ? kLook : Surface::kNoLimit;
    return earlier(earlier(until_next_step(screen), bar), longest);
}

bool has_fresh_notice(const AppState& state) {
    return state.notice && !state.notice->leaves_at;
}

// When the note goes by itself, just after a frame: no event tells of it, and nothing moves before.
std::optional<double> end_of_note(const AppState& state) {
    if (!state.notice || !state.notice->leaves_at || std::isinf(*state.notice->leaves_at))
        return {};
    return seconds_now() + *state.notice->leaves_at - ImGui::GetTime();
}

// Closing the window is the command to quit, which may ask first.
void follow_close_request(Screen& screen) {
    if (!screen.surface().close_requested()) return;
    screen.surface().keep_open();
    apply_or_explain(screen.frame().state(), {"app.quit", {}});
}

// Something goes on by itself, or waits for its frame.
bool goes_on(const Screen& screen) {
    const AppState& state = screen.frame().state();
    return state.run.stage.is_moving || state.start.is_moving || state.run.page.is_moving ||
           state.run.figure.is_moving || state.run.code.is_moving ||
           screen.frame().has_pending_work() || has_fresh_notice(state) ||
           screen.has_input_waiting();
}

}  // namespace

FrameState WindowLoop::frame_state() const {
    return {.now = seconds_now(),
            .animating = is_due(screen_) || until_note_leaves() == 0.0,
            .focused = screen_.surface().focused(),
            .visible = is_shown()};
}

// A minimised window goes on for what is seen elsewhere: a film, the notes of the speaker.
bool WindowLoop::is_shown() const {
    const Surface& surface = screen_.surface();
    return surface.size().w > 0 && (surface.visible() || exports_.busy() || notes_.is_open());
}

double WindowLoop::pause() const {
    if (!is_shown()) return Surface::kNoLimit;  // what is due waits until the window is back
    return earlier(sleep_within(screen_, gate_.wait_time(frame_state())), until_note_leaves());
}

double WindowLoop::until_note_leaves() const {
    return note_leaves_at_ ? std::max(0.0, *note_leaves_at_ - seconds_now()) : Surface::kNoLimit;
}

bool WindowLoop::turn(double longest_wait) {
    const FrameState before = frame_state();
    if (screen_.surface().wait_events(longest_wait)) gate_.changed(seconds_now());
    take_what_arrived();
    // What began during the wait has told the gate by changed(); what moved before it still gets
    // the frame that was waited for. So only the time is new.
    FrameState then = before;
    then.now = seconds_now();
    if (!gate_.draw(then)) return false;
    const bool had_note = screen_.frame().state().notice.has_value();
    screen_.draw(true);
    note_leaves_at_ = end_of_note(screen_.frame().state());
    const bool lost_note = had_note && !screen_.frame().state().notice;
    notes_.draw(screen_);
    carry_out_for_surface(screen_, exports_, notes_);
    if (lost_note || exports_.busy() || goes_on(screen_) || notes_.has_input_waiting())
        gate_.changed(seconds_now());
    if (std::exchange(first_, false)) ask_for_gpu();
    return true;
}

void WindowLoop::take_what_arrived() {
    if (notes_.take_events(screen_) || notes_.clock_has_moved()) gate_.changed(seconds_now());
    open_dropped(screen_);
    if (screen_.surface().close_requested()) gate_.changed(seconds_now());
    follow_close_request(screen_);
    kept_.follow(screen_);
    if (screen_.run().follow_lesson_file(screen_.frame().state())) gate_.changed(seconds_now());
    if (is_due(screen_) || until_note_leaves() == 0.0 || screen_.run().under_way() ||
        awaits_bar(screen_))
        gate_.changed(seconds_now());
    take_gpu();
}

// A driver may take a second to answer, so it is asked after the first frame and beside the window.
void WindowLoop::ask_for_gpu() {
    gpu_ = later([&surface = screen_.surface()] {
        DeviceQuery query = query_devices();
        surface.wake();
        return query;
    });
}

void WindowLoop::take_gpu() {
    if (!gpu_.is_ready(0)) return;
    const DeviceQuery devices = gpu_.get();
    AppState& state = screen_.frame().state();
    state.about.push_back({screen_.frame().texts()["about.gpu"_t], devices.sentence});
    state.run.has_gpu = devices.outcome == DeviceQuery::Outcome::Found;
    gate_.changed(seconds_now());
}

void WindowLoop::finish() {
    notes_.close(screen_);
    kept_.finish(screen_);
}

}  // namespace kv
