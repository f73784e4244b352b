#include "app/cli/screen.hpp"

#include <utility>

#include "app/cli/version.hpp"
#include "app/shell/files.hpp"
#include "app/shell/xdg.hpp"
#include "core/base/error.hpp"

namespace kv {

Screen::Screen(std::unique_ptr<Surface> surface, AppState state, Texts texts)
    : surface_(std::move(surface)), gui_(*surface_), frame_(std::move(state), std::move(texts)) {}

void Screen::follow_style(float unit) {
    const ThemeName theme = frame_.state().settings.theme;
    if (styled_theme_ == theme && styled_unit_ == unit) return;
    gui_.set_style(palette(theme), unit);
    styled_theme_ = theme;
    styled_unit_ = unit;
}

void Screen::draw(bool read_keys, float extra_scale, std::vector<WrittenText>* written) {
    const float display = surface_->scale() * extra_scale;
    follow_style(display * frame_.state().settings.text_scale);
    gui_.begin_frame();
    frame_.draw({.display_scale = display, .read_keys = read_keys, .written = written},
                gui_.fonts());
    gui_.end_frame(palette(frame_.state().settings.theme).app);
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
