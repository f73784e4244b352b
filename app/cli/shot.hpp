#pragma once
// `kvarium shot`: any layout or panel as a PNG, without a display. The same line gives the same
// bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/image.hpp"

namespace kv {

struct ShotOptions {
    std::string layout = "explore";
    std::string theme = "dark";
    std::optional<std::string> panel;  // only this one, filling the picture
    // A scene's name or file; none: the layout's own, empty: nothing runs.
    std::optional<std::string> scene;
    std::optional<std::uint32_t> step;  // instead of the scene's own
    std::optional<std::string>
        plan;  // JSON of rectangles, labels and ids instead of, or beside, pixels
    std::optional<std::string> out;  // "-" is standard output
    PixelSize size{1920, 1080};      // logical pixels
    double scale = 1.0;              // picture pixels per logical pixel
    double text_scale = 1.0;
    std::string language;
    std::vector<std::string> commands;
    std::string command_line;  // stored in the picture, so that it can be made again
};

int run_shot(const ShotOptions& options);

// The picture alone, for tests.
Image shot_image(const ShotOptions& options);

}  // namespace kv
