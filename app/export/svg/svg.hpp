#pragma once
// What Dear ImGui is about to draw, as an SVG: boxes, circles, lines and texts that a person can
// select and change, in one group for each window. The picture has to be drawn without smoothing
// (unsmoothed(true) before the frame), since a smoothed edge is two edges.
//
// What it does not keep: the fitting of letters to pixels, and colours that change inside a shape,
// which become their mean. Left out are pictures whose pixels only the graphics card has, and what
// is no known letter of the font. `approximated` counts the shapes with a mean colour and what is
// left out.

#include <imgui.h>

#include <string>

#include "app/shell/geometry.hpp"
#include "app/shell/theme.hpp"

namespace kv {

struct SvgAsk {
    std::string title, description;
    std::string scene;  // kept in the metadata, when not empty
    Color background = {0, 0, 0};
    Rect area;  // of the picture, pixels; the drawing shows no more than that
};

struct Svg {
    std::string text;
    std::size_t shapes = 0, texts = 0, approximated = 0;
};

Svg svg_of(const ImDrawData& data, const SvgAsk& ask);

// To be called between frames: edges without smoothing, or as the style has it.
void unsmoothed(bool on);

}  // namespace kv
