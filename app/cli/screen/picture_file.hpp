#pragma once
// A picture of the screen as a file, PNG or SVG. Both carry the scene from which they open again;
// the PNG also how it was drawn. The window (app/cli/window/exports.cpp) and `kvarium shot`
// (app/cli/shot/shot.cpp) write through here: they differ in where the pixels come from.

#include <optional>
#include <string>

#include "app/cli/screen/screen.hpp"
#include "app/live/scene/picture_note.hpp"

namespace kv {

std::string png_file(const Image& image, const PictureNote& note);
// Draws a frame for it (Screen::draw_svg). `area`: only this part of it, in pixels.
std::string svg_file(Screen& screen, const PictureNote& note, std::optional<Rect> area = {},
                     float extra_scale = 1.0f);

// What a picture of the window as it stands carries.
PictureNote note_of_window(Screen& screen);

}  // namespace kv
