#include "app/cli/shot/shot.hpp"

#include <cmath>

#include "app/cli/screen/picture_file.hpp"
#include "app/cli/shot/data.hpp"
#include "app/cli/shot/film.hpp"
#include "app/cli/shot/screen.hpp"
#include "app/cli/terminal/output.hpp"
#include "app/shell/files.hpp"
#include "core/base/error.hpp"
#include "core/base/files/json.hpp"

namespace kv {
namespace {

nlohmann::ordered_json rect_json(const Rect& r) {
    return {{"x", std::lround(r.x)},
            {"y", std::lround(r.y)},
            {"w", std::lround(r.w)},
            {"h", std::lround(r.h)}};
}

nlohmann::ordered_json docks_json(const AppState& state, PixelSize pixels, float unit) {
    const Vec2 window{static_cast<float>(pixels.w) / unit, static_cast<float>(pixels.h) / unit};
    nlohmann::ordered_json docks = nlohmann::ordered_json::array();
    for (const DockPlace& place : planned_docks(state, window)) {
        const Rect& r = place.rect;
        nlohmann::ordered_json dock = rect_json({r.x * unit, r.y * unit, r.w * unit, r.h * unit});
        dock["front"] = row_of(place.dock.front).name;
        dock["tab_bar"] = place.dock.tab_bar;
        for (PanelId panel : place.dock.tabs) dock["tabs"].push_back(row_of(panel).name);
        docks.push_back(std::move(dock));
    }
    return docks;
}

// Drawn on the null surface: the plan needs no renderer.
nlohmann::ordered_json plan_json(const ShotOptions& options) {
    const PixelSize pixels = picture_size(options);
    ShotScreen shot(options, open_null(pixels));
    shot.settle(kSettleFrames - 1);
    std::vector<WrittenText> written;
    shot.screen.draw(false, shot.scale, &written);

    nlohmann::ordered_json labels = nlohmann::ordered_json::array();
    for (const WrittenText& text : written) {
        nlohmann::ordered_json label = rect_json(text.rect);
        label["id"] = text.place;
        label["label"] = text.text;
        labels.push_back(std::move(label));
    }
    const AppState& state = shot.screen.frame().state();
    return {{"kvarium_plan", 1},
            {"layout", name_of(state.layout)},
            {"theme", name_of(state.settings.theme)},
            {"width", pixels.w},
            {"height", pixels.h},
            {"scale", options.scale},
            {"text_scale", options.text_scale},
            {"docks",
             docks_json(state, pixels, static_cast<float>(options.scale * options.text_scale))},
            {"labels", labels}};
}

std::string in_format(const ShotOptions& options, ExportFormat format) {
    switch (format) {
        case ExportFormat::Png:
            return shot_png(options);
        case ExportFormat::Svg:
            return shot_svg(options);
        case ExportFormat::Csv:
        case ExportFormat::Json:
        case ExportFormat::Markdown:
            return shot_words(options, format);
        case ExportFormat::Gif:
        case ExportFormat::Mp4:
            break;
    }
    throw Error(ErrorCode::Usage, "A film needs to know of which steps: add --steps FIRST..LAST.");
}

}  // namespace

void draw_again(ShotOptions& options, const PictureNote& note) {
    const DrawnAs& drawn = note.drawn;
    options.layout = drawn.layout;
    options.theme = drawn.theme;
    options.panel = drawn.panel;
    options.pixels = drawn.pixels;
    options.scale = drawn.scale;
    options.text_scale = drawn.text_scale;
    options.size = {static_cast<int>(std::lround(drawn.pixels.w / drawn.scale)),
                    static_cast<int>(std::lround(drawn.pixels.h / drawn.scale))};
    options.language = drawn.language;
    options.commands = drawn.commands;
    if (!note.scene) options.scene = "";
}

Image shot_image(const ShotOptions& options) {
    ShotScreen shot(options, open_headless(picture_size(options), options.renderer));
    shot.settle();
    return shot.screen.surface().read_pixels();
}

std::string shot_png(const ShotOptions& options) {
    ShotScreen shot(options, open_headless(picture_size(options), options.renderer));
    shot.settle();
    return png_file(shot.screen.surface().read_pixels(), shot.note);
}

// An SVG needs no renderer, so it can be made where there is none.
std::string shot_svg(const ShotOptions& options) {
    ShotScreen shot(options, open_null(picture_size(options)));
    shot.settle();
    return svg_file(shot.screen, shot.note, {}, shot.scale);
}

int run_shot(const ShotOptions& options) {
    if (options.steps) return run_film(options);
    if (options.out_dir)
        throw Error(ErrorCode::Usage,
                    "--out-dir takes the pictures of a film: add --steps "
                    "FIRST..LAST.");
    if (!options.out && !options.plan)
        throw Error(ErrorCode::Usage,
                    "shot needs a place for its result: add --out FILE.png or --plan FILE.json.");
    // Asked before a run is computed for the file.
    for (const auto& file : {options.plan, options.out})
        if (file && *file != "-") require_writable(*file);
    if (options.plan)
        write_output(*options.plan,
                     plan_json(options).dump(1, ' ', false,
                                             nlohmann::ordered_json::error_handler_t::replace) +
                         "\n");
    if (!options.out) return 0;
    const auto ending = options.format ? options.format : format_of(*options.out);
    write_output(*options.out, in_format(options, ending.value_or(ExportFormat::Png)));
    return 0;
}

}  // namespace kv
