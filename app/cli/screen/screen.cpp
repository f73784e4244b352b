#include "app/cli/screen/screen.hpp"

#include <utility>

#include "app/cli/terminal/places.hpp"
#include "app/cli/terminal/version.hpp"
#include "app/live/loading/seconds_now.hpp"
#include "app/shell/files.hpp"
#include "app/shell/xdg.hpp"
#include "core/base/error.hpp"

namespace kv {
Screen::Screen(std::unique_ptr<Surface> surface, AppState state, Texts texts,
               std::string progress_file, std::string lessons)
    : surface_(std::move(surface)),
      gui_(*surface_),
      frame_(std::move(state), std::move(texts)),
      run_(std::make_unique<LiveRun>(
          RunPlaces{
              [](const std::string& scene) { return scene_file(scene).string(); },
              [](const std::string& model) { return model_folder(model).string(); },
              [own = std::move(lessons)] { return own.empty() ? lessons_folder().string() : own; },
              std::move(progress_file)},
          [surface = surface_.get()] { surface->wake(); })) {}

void Screen::open_scene(const std::string& scene, std::optional<std::uint32_t> step,
                        const std::optional<std::string>& model) {
    run_->open_scene(scene, step, model);
}

void Screen::finish_run(LiveRun::Refusals refusals) {
    frame_.apply_commands();
    run_->finish(frame_.state(), refusals);
}

void Screen::follow_style(float unit) {
    const ThemeName theme = frame_.state().settings.theme;
    if (styled_theme_ == theme && styled_unit_ == unit) return;
    gui_.set_style(palette(theme), unit);
    styled_theme_ = theme;
    styled_unit_ = unit;
}

void Screen::draw_frame(FrameInput in) {
    in.display_scale *= surface_->scale();
    follow_style(in.display_scale * frame_.state().settings.text_scale);
    gui_.begin_frame();
    frame_.apply_commands();
    run_->tick(frame_.state(), seconds_now());
    in.run = run_->view(), in.other = run_->other_view(), in.lesson = &run_->lesson();
    in.start = &run_->start();
    frame_.draw(in, gui_.fonts());
}

void Screen::draw(bool read_keys, float extra_scale, std::vector<WrittenText>* written) {
    draw_frame({.display_scale = extra_scale, .read_keys = read_keys, .written = written});
    gui_.end_frame(frame_.background());
}

Image Screen::picture() {
    draw_frame({.read_keys = false, .show_notice = false});
    ImGui::Render();
    return surface_->picture(frame_.background());
}

Svg Screen::draw_svg(const SvgAsk& ask, float extra_scale) {
    follow_style(surface_->scale() * extra_scale * frame_.state().settings.text_scale);
    unsmoothed(true);
    draw_frame({.display_scale = extra_scale, .read_keys = false, .show_notice = false});
    ImGui::Render();
    unsmoothed(false);
    return svg_of(*ImGui::GetDrawData(), ask);
}

PanelData Screen::data_of(PanelId panel) {
    return panel_data({.text = frame_.texts(),
                       .state = frame_.state(),
                       .run = run_->view(),
                       .other = run_->other_view(),
                       .lesson = &run_->lesson()},
                      panel);
}

Texts texts_for(const std::string& language) {
    Texts texts;
    if (language == "pseudo")
        texts.pseudo();
    else if (!language.empty())
        texts.translate(read_file(language, 1 << 20), language);
    return texts;
}

std::vector<AboutLine> about_lines(const Texts& text, const std::string& renderer) {
    const Folders folders = user_folders();
    return {
        {text["about.version"_t], build_text()},
        {text["about.libraries"_t], libraries()},
        {text["about.renderer"_t], renderer},
        {text["about.folders"_t], folders.config.string() + "\n" + folders.data.string() + "\n" +
                                      folders.state.string() + "\n" + folders.cache.string()}};
}

}  // namespace kv
