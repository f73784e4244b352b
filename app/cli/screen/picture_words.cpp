#include "app/cli/screen/picture_words.hpp"

namespace kv {
namespace {

constexpr std::string_view kNote =
    "Drawn by KVarium. Texts are texts and boxes are boxes; letters stand where the font puts "
    "them, "
    "not on whole pixels, and where the fonts Inter and JetBrains Mono are missing others are "
    "fitted to their width.";

}  // namespace

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

}  // namespace kv
