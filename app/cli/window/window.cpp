#include "app/cli/window/window.hpp"

#include <algorithm>
#include <utility>

#include "app/cli/screen/start_state.hpp"
#include "app/cli/terminal/interrupt.hpp"
#include "app/cli/window/kept_settings.hpp"
#include "app/cli/window/loop.hpp"
#include "app/shell/xdg.hpp"

namespace kv {
namespace {

// A signal does not end the wait for events, so the wait is cut short now and then to look for one.
constexpr double kLongestSleep = 0.5;
double sleep_time(double asked) {
    return asked == Surface::kNoLimit ? kLongestSleep : std::min(asked, kLongestSleep);
}

bool asks_for_something(const WindowOptions& options) {
    return options.scene || options.model || options.step || !options.layout.empty() ||
           !options.commands.empty();
}

// Where nothing was asked for, the window opens one request and a pool that is nearly empty, not
// the eight of the stock scene.
constexpr const char* kCalmScene = "first";

// The page of the first start covers no run that a person asked for.
void open_page_of_first_start(AppState& state, const WindowOptions& options) {
    const bool is_first = !state.settings.first_start_done && !asks_for_something(options);
    if (is_first) apply(state, {"window.first_start", {}});
}

std::string scene_of(const AppState& state, const WindowOptions& options) {
    const bool is_calm = state.layout == LayoutName::Attach ||
                         (state.layout == LayoutName::Explore && !asks_for_something(options));
    return options.scene.value_or(is_calm ? kCalmScene : std::string(name_of(state.layout)));
}

}  // namespace

std::unique_ptr<Screen> open_screen(const WindowOptions& options) {
    require_commands(options.commands);
    AppState state = start_state(remembered_state(), options.layout, options.theme, {});
    constexpr double kOfAFrame = 0.01;  // seconds
    state.run.prefix.patience = kOfAFrame;
    open_page_of_first_start(state, options);
    const std::string scene = scene_of(state, options);
    const WindowRequest request{.size = state.settings.window};
    Texts texts = texts_for(options.language);
    auto screen = std::make_unique<Screen>(open_window(request), std::move(state), texts,
                                           (user_folders().data / "lessons.json").string());
    screen->frame().state().about = about_lines(texts, screen->surface().renderer());

    screen->run().open_as_shown(scene, options.step, options.model, layout_named(options.layout));
    if (!options.commands.empty()) {
        screen->finish_run();
        carry_out(screen->frame().state(), options.commands);
        screen->finish_run();  // each stands on what the one before it opened
    }
    recall_moved_panels(*screen);
    screen->frame().state().asks_first = true;
    return screen;
}

int run_window(const WindowOptions& options) {
    const std::unique_ptr<Screen> screen = open_screen(options);
    screen->run().measure_machine();
    watch_for_interrupts();
    WindowLoop loop(*screen);
    while (!screen->frame().state().quit && !was_interrupted()) loop.turn(sleep_time(loop.pause()));
    loop.finish();
    return 0;
}

}  // namespace kv
