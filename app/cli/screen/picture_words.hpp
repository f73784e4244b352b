#pragma once
// What an SVG says of itself: its title, what it keeps and what not, and its scene.

#include "app/cli/screen/screen.hpp"
#include "app/live/scene/picture_note.hpp"

namespace kv {

SvgAsk svg_ask(Screen& screen, const PictureNote& note);

}  // namespace kv
