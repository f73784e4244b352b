#include "app/cli/shot/screen.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cli/screen/start_state.hpp"
#include "app/frame/panel_data.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

AppState shot_state(const ShotOptions& options) {
    AppState state = start_state({}, options.layout, options.theme, {});
    state.settings.text_scale = static_cast<float>(options.text_scale);
    state.settings.reduced_motion = true;
    if (options.panel) state.only_panel = table_named(*options.panel).panel;
    return state;
}

Screen open_screen(const ShotOptions& options, std::unique_ptr<Surface> surface) {
    require_commands(options.commands);
    Texts texts = texts_for(options.language);
    AppState state = shot_state(options);
    state.about = about_lines(texts, surface->renderer());
    return Screen(std::move(surface), std::move(state), std::move(texts));
}

DrawnAs drawn_as(const ShotOptions& options) {
    return {.layout = options.layout,
            .theme = options.theme,
            .panel = options.panel,
            .pixels = picture_size(options),
            .scale = options.scale,
            .text_scale = options.text_scale,
            .language = options.language,
            .commands = options.commands};
}

// What only a window can do would otherwise pass as done.
void refuse_unmet(const AppState& state) {
    if (!state.exports.empty())
        throw Error(ErrorCode::Usage,
                    "--command " + std::string(row_of(state.exports.front().id).name) +
                        ": a picture is written by --out, a table by --table, a film by --steps; "
                        "leave the command out.");
    if (state.quit || state.toggle_fullscreen || state.toggle_notes_window || state.copy_bill)
        throw Error(ErrorCode::Usage,
                    "--command: there is no window here to close, enlarge or copy from; leave the "
                    "command out.");
}

// In the window a token may be selected that comes later; in a picture nothing comes later.
void refuse_unseen_token(Screen& screen, const ShotOptions& options) {
    const RunFocus& focus = screen.frame().state().run.focus;
    const RunView* run = screen.run().view();
    const bool asked =
        std::any_of(options.commands.begin(), options.commands.end(),
                    [](const std::string& command) { return command.starts_with("select.token"); });
    if (!asked || run == nullptr || !focus.token) return;
    const std::size_t i = focus.request.index();
    const u64 known = i < run->now.requests.size() ? run->now.requests[i].tokens.size() : 0;
    if (*focus.token < known) return;
    throw Error(ErrorCode::Usage, "--command select.token " + with_commas(*focus.token) +
                                      ": the request in focus has " + counted(known, "token") +
                                      " at this step, counted from 0; name one of them.");
}

// The scene at its step, then the commands one after the other. What it was made of is the scene
// before the commands, since those travel beside it.
PictureNote start_run(Screen& screen, const ShotOptions& options) {
    // A watched server has no scene of its own.
    const std::string usual = options.layout == name_of(LayoutName::Attach) ? "" : options.layout;
    const std::string scene = options.scene.value_or(usual);
    PictureNote note{.scene = {}, .drawn = drawn_as(options)};
    if (!scene.empty()) {
        screen.open_scene(scene, options.step);
        screen.finish_run(LiveRun::Refusals::AreThrown);
        note.scene = screen.run().scene_as_opened();
    }
    if (scene.empty() && options.step)
        throw Error(ErrorCode::Usage, "--step: nothing runs without a scene; name one.");
    carry_out(screen.frame().state(), options.commands);
    screen.finish_run(LiveRun::Refusals::AreThrown);
    refuse_unmet(screen.frame().state());
    refuse_unseen_token(screen, options);
    return note;
}

}  // namespace

PixelSize picture_size(const ShotOptions& options) {
    if (options.pixels) return *options.pixels;
    return {static_cast<int>(std::lround(options.size.w * options.scale)),
            static_cast<int>(std::lround(options.size.h * options.scale))};
}

ShotScreen::ShotScreen(const ShotOptions& options, std::unique_ptr<Surface> surface)
    : screen(open_screen(options, std::move(surface))),
      note(start_run(screen, options)),
      scale(static_cast<float>(options.scale)) {}

// Only the last frame is looked at; those before it let Dear ImGui measure.
void ShotScreen::settle(int frames) {
    for (int i = 0; i < frames; ++i) screen.draw(false, scale);
}

}  // namespace kv
