#include "app/cli/screen/picture_file.hpp"

#include <utility>

#include "app/frame/dock/dock.hpp"

namespace kv {
namespace {

// English in every language, as exported tables are.
constexpr std::string_view kNote =
    "Drawn by KVarium. Texts are texts and boxes are boxes; letters stand where the font puts "
    "them, not on whole pixels, and where the fonts Inter and JetBrains Mono are missing others "
    "are fitted to their width.";

// What an SVG says of itself: its title, what it keeps and what not, and its scene.
SvgAsk svg_ask(Screen& screen, const PictureNote& note) {
    const PixelSize size = screen.surface().size();
    SvgAsk ask{.title = "KVarium",
               .description = std::string(kNote),
               .scene = note.scene ? scene_text(*note.scene) : "",
               .background = palette(screen.frame().state().settings.theme).app,
               .area = {0, 0, static_cast<float>(size.w), static_cast<float>(size.h)}};
    if (const RunView* run = screen.run().view())
        ask.title += ": " + run->scene + ", step " + std::to_string(run->now.iteration);
    return ask;
}

}  // namespace

std::string png_file(const Image& image, const PictureNote& note) {
    return encode_png(image, texts_of(note));
}

std::string svg_file(Screen& screen, const PictureNote& note, std::optional<Rect> area,
                     float extra_scale) {
    SvgAsk ask = svg_ask(screen, note);
    if (area) ask.area = *area;
    return screen.draw_svg(ask, extra_scale).text;
}

PictureNote note_of_window(Screen& screen) {
    const AppState& state = screen.frame().state();
    DrawnAs drawn{.layout = std::string(name_of(host_of(state.layout))),
                  .theme = std::string(name_of(state.settings.theme)),
                  .panel = {},
                  .pixels = screen.surface().size(),
                  .scale = screen.surface().scale(),
                  .text_scale = state.settings.text_scale,
                  .language = {},
                  .commands = {}};
    for (const PanelRow& panel : panel_table())
        if (panel_in_view(state.docks(), panel.id))
            drawn.commands.push_back("panel.show " + std::string(panel.name));
    return {.scene = screen.run().scene_as_shown(state), .drawn = std::move(drawn)};
}

}  // namespace kv
