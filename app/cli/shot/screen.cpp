#include "app/cli/shot/screen.hpp"

#include <cmath>
#include <utility>

#include "app/cli/screen/start_state.hpp"
#include "app/frame/panel_data.hpp"

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

// The scene at its step, then the commands one after the other. What it was made of is the scene
// before the commands, since those travel beside it.
PictureNote start_run(Screen& screen, const ShotOptions& options) {
    const std::string scene = options.scene.value_or(options.layout);
    PictureNote note{.scene = {}, .drawn = drawn_as(options)};
    if (!scene.empty()) {
        screen.open_scene(scene, options.step);
        screen.finish_run();
        note.scene = screen.run().scene_as_opened();
    }
    carry_out(screen.frame().state(), options.commands);
    screen.finish_run();
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

void ShotScreen::settle(int frames) {
    for (int i = 0; i < frames; ++i) screen.draw(false, scale);
}

}  // namespace kv
