#pragma once
// Which fields the view of a scene has, and of what kind each is. A value that the run does not
// have, such as a request of another scene, is left out when the view is applied; a field that no
// view has, or of another kind, is a slip of the pen and refused by its name.

#include <string>

namespace kv {

// `place`: the scene's file. Throws Refused.
void require_view(const std::string& text, const std::string& place);

}  // namespace kv
