#pragma once
// `kvarium shot`: any layout or panel without a display, as a PNG, an SVG, as tables, or as a film.
// The same line gives the same bytes, and so does one that names a PNG itself as its scene.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/terminal/export_format.hpp"
#include "app/shell/picture/image.hpp"
#include "app/shell/surface/surface.hpp"

namespace kv {

struct ShotOptions {
    std::string layout = "explore";
    std::string theme = "dark";
    std::optional<std::string> panel;  // only this one, filling the picture
    // A scene's name or file; none: the layout's own, empty: nothing runs.
    std::optional<std::string> scene;
    std::optional<std::uint32_t> step;  // instead of the scene's own
    // JSON of rectangles, labels and ids instead of, or beside, pixels.
    std::optional<std::string> plan;
    std::optional<std::string> out;   // "-" is standard output
    PixelSize size{1920, 1080};       // logical pixels
    std::optional<PixelSize> pixels;  // of the picture, instead of size x scale
    double scale = 1.0;               // picture pixels per logical pixel
    double text_scale = 1.0;
    std::string language;
    std::vector<std::string> commands;
    std::optional<ExportFormat> format;  // instead of what the ending of `out` says
    std::optional<std::string> table;    // of the panel, for CSV
    std::optional<std::string> steps;    // "20..40": a film
    std::optional<std::string> out_dir;  // for the single pictures of a film
    double per_second = 2;               // of them
    bool quiet = false;
    Renderer renderer = Renderer::Integers;
};

struct PictureNote;
// What is not said otherwise is drawn as that picture was.
void draw_again(ShotOptions& options, const PictureNote& note);

int run_shot(const ShotOptions& options);

// The picture alone, as tests compare it; and as a file with the scene that it was made of.
Image shot_image(const ShotOptions& options);
std::string shot_png(const ShotOptions& options);
std::string shot_svg(const ShotOptions& options);

}  // namespace kv
