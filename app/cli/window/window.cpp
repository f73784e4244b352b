#include "app/cli/window/window.hpp"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "app/cli/screen/screen.hpp"
#include "app/cli/screen/start_state.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/window/exports.hpp"
#include "app/cli/window/kept_settings.hpp"
#include "app/cli/window/notes.hpp"
#include "app/live/loading/seconds_now.hpp"
#include "app/shell/files.hpp"
#include "app/shell/surface/idle_gate.hpp"
#include "app/shell/xdg.hpp"
#include "core/base/error.hpp"
#include "cuda/device/device.hpp"

namespace kv {
namespace {

// A signal does not end the wait for events, so the wait is cut short now and then to look for one.
constexpr double kLongestSleep = 0.5;
double sleep_time(double wished) {
    return wished == Surface::kForever ? kLongestSleep : std::min(wished, kLongestSleep);
}

// A driver may take a second to answer, so it is asked after the first frame and on a thread of its
// own.
class GpuQuestion {
public:
    void ask(Surface& surface) {
        answer_ = std::async(std::launch::async, [&surface] {
            DeviceQuery query = query_devices();
            surface.wake();
            return query;
        });
    }
    std::optional<DeviceQuery> take() {
        if (!answer_.valid() ||
            answer_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
            return {};
        return answer_.get();
    }

private:
    std::future<DeviceQuery> answer_;
};

// What the frame wished for that only the owner of the surface can do.
void carry_out_wishes(Screen& screen, WindowExports& exports, NotesWindow& notes) {
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
// its workload, one dropped on What if is weighed.
CommandId meant_by_dropping(const AppState& state, const std::string& path) {
    std::error_code unknown;  // what cannot be looked at is refused by who opens it
    if (std::filesystem::is_directory(path, unknown)) return "file.open_model";
    const auto ending = std::filesystem::path(path).extension();
    const bool is_workload = ending == ".csv" || ending == ".jsonl";
    if (is_workload && state.docks() == LayoutName::WhatIf) return "whatif.file";
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

// Play goes on by itself; between two of its steps nothing moves.
double until_next_step(Screen& screen) {
    const auto due = screen.run().due(screen.frame().state());
    return due ? std::max(0.0, *due - seconds_now()) : Surface::kForever;
}
bool is_due(Screen& screen) {
    const PrefixUi& prefix = screen.frame().state().run.prefix;
    return until_next_step(screen) == 0.0 || prefix.wants_frame_after(ImGui::GetFrameCount());
}
// A bar that is to leave is looked after now and then.
bool awaits_bar(Screen& screen) {
    const AppState& state = screen.frame().state();
    return state.layout == LayoutName::Present && state.present_bar.shown;
}
double wished_sleep(Screen& screen, double wished) {
    constexpr double kLook = 0.25;
    const double bar = awaits_bar(screen) ? kLook : Surface::kForever;
    const double play = until_next_step(screen);
    const double step = play == Surface::kForever  ? bar
                        : bar == Surface::kForever ? play
                                                   : std::min(play, bar);
    if (step == Surface::kForever) return wished;
    return wished == Surface::kForever ? step : std::min(wished, step);
}

// A note counts its seconds; a refusal stands still once it is drawn.
bool has_fresh_notice(const AppState& state) {
    constexpr float kDrawn = 1;  // seconds
    return state.notice && (!state.notice->refused || state.notice->shown_for < kDrawn);
}

// Closing the window is the command to quit, which may ask first.
void follow_close_request(Screen& screen) {
    if (!screen.surface().close_requested()) return;
    screen.surface().keep_open();
    apply_or_explain(screen.frame().state(), {"app.quit", {}});
}

void loop(Screen& screen) {
    IdleGate gate;
    GpuQuestion gpu;
    WindowExports exports;
    NotesWindow notes;
    KeptSettings kept(screen);
    bool first = true;
    while (!screen.frame().state().quit && !was_interrupted()) {
        const FrameState now{.now = seconds_now(),
                             .animating = is_due(screen),
                             .focused = screen.surface().focused(),
                             .visible = screen.surface().size().w > 0};
        if (screen.surface().wait_events(sleep_time(wished_sleep(screen, gate.wait_time(now)))))
            gate.changed(seconds_now());
        if (notes.take_events(screen) || notes.clock_has_moved()) gate.changed(seconds_now());
        open_dropped(screen);
        if (screen.surface().close_requested()) gate.changed(seconds_now());
        follow_close_request(screen);
        kept.follow(screen);
        if (screen.run().follow_lesson_file(screen.frame().state())) gate.changed(seconds_now());
        if (is_due(screen) || screen.run().under_way() || awaits_bar(screen))
            gate.changed(seconds_now());
        if (const auto devices = gpu.take()) {
            AppState& state = screen.frame().state();
            state.about.push_back({screen.frame().texts()["about.gpu"_t], devices->sentence});
            state.run.has_gpu = devices->outcome == DeviceQuery::Outcome::Found;
            gate.changed(seconds_now());
        }
        FrameState then = now;
        then.now = seconds_now();
        if (!gate.draw(then)) continue;
        screen.draw(true);
        notes.draw(screen);
        carry_out_wishes(screen, exports, notes);
        if (exports.busy() || screen.frame().state().run.stage.is_moving ||
            screen.frame().state().start.is_moving || screen.frame().state().run.page.is_moving ||
            screen.frame().state().run.figure.is_moving ||
            screen.frame().state().run.code.is_moving || screen.frame().has_pending_work() ||
            has_fresh_notice(screen.frame().state()) || screen.has_input_waiting() ||
            notes.has_input_waiting())
            gate.changed(seconds_now());
        if (std::exchange(first, false)) gpu.ask(screen.surface());
    }
    notes.close(screen);
    kept.finish(screen);
}

bool asks_for_something(const WindowOptions& options) {
    return options.scene || options.model || options.step || !options.layout.empty() ||
           !options.commands.empty();
}

// Nothing was asked for: one request and a pool that is nearly empty, not the eight of the stock
// scene.
constexpr const char* kCalmScene = "first";

// The page of the first start covers no run that a person asked for.
void open_page_of_first_start(AppState& state, const WindowOptions& options) {
    const bool is_first = !state.settings.first_start_done && !asks_for_something(options);
    if (is_first) apply(state, {"window.first_start", {}});
}

std::string scene_of(const AppState& state, const WindowOptions& options) {
    const bool is_calm = state.layout == LayoutName::Explore && !asks_for_something(options);
    return options.scene.value_or(is_calm ? kCalmScene : std::string(name_of(state.layout)));
}

}  // namespace

int run_window(const WindowOptions& options) {
    require_commands(options.commands);
    AppState state = start_state(remembered_state(), options.layout, options.theme, {});
    open_page_of_first_start(state, options);
    const std::string scene = scene_of(state, options);
    const WindowRequest request{.size = state.settings.window};
    Texts texts = texts_for(options.language);
    Screen screen(open_window(request), std::move(state), texts,
                  (user_folders().data / "lessons.json").string());
    screen.frame().state().about = about_lines(texts, screen.surface().renderer());

    screen.run().open_as_shown(scene, options.step, options.model, layout_named(options.layout));
    if (!options.commands.empty()) {
        screen.finish_run();
        carry_out(screen.frame().state(), options.commands);
    }
    screen.run().measure_machine();
    recall_moved_panels(screen);
    screen.frame().state().asks_first = true;
    watch_for_interrupts();
    loop(screen);
    return 0;
}

}  // namespace kv
