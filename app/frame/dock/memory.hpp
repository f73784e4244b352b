#pragma once
// Where the person has moved the panels, as text to keep between two starts. The text carries a
// mark of the panels and of the layouts as a window of that size has them (in logical pixels: a
// narrow window or large text puts panels together as tabs); any other text is ignored, because
// Dear ImGui would let old places win over panels that are new. Needs a current Dear ImGui context.

#include <string>
#include <string_view>

#include "app/shell/geometry.hpp"

namespace kv {

std::string remember_docks(Vec2 window);
// Called before the first frame. False when the text belongs to another version and was passed
// over.
bool recall_docks(std::string_view text, Vec2 window);

}  // namespace kv
