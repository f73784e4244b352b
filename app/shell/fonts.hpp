#pragma once
// The two families, out of the program itself. A size is the em, as in the design: "13" has
// capitals 9.5 pixels high. Both families have their capitals in the middle of the line box and
// share a baseline, so a word and a number of the same size can stand side by side.

#include "app/shell/ui.hpp"

namespace kv {

Fonts load_fonts(ImFontAtlas& atlas);

}  // namespace kv
