#pragma once
// Where the person has moved the panels, as text to keep between two starts. The text carries a
// mark of the panels and layouts that this program has; another program's text is ignored, because
// Dear ImGui would let old places win over panels that are new. Needs a current Dear ImGui context.

#include <string>
#include <string_view>

namespace kv {

std::string remember_docks();
// Before the first frame. False when the text belongs to another version and was passed over.
bool recall_docks(std::string_view text);

}  // namespace kv
