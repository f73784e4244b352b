#pragma once
// Which fields the view of a scene has, and of what kind each is. A value that the run does not
// have, such as a request of another scene, is left out when the view is applied; a field that no
// view has, or of another kind, is a slip of the pen and refused by its name.

#include <string>
#include <string_view>

namespace kv {

// The words of a choice, each followed by a blank or the end, in the order of its enum.
inline constexpr std::string_view kEventMarkWords =
    "admit allocate free share copy fork evict offload bring_back finish draft";
inline constexpr std::string_view kPreviewWords = "fp8 int8 int4";
// One of them; empty behind the last.
std::string_view word_at(std::string_view words, std::size_t index);

// `place`: the scene's file. Throws Refused.
void require_view(const std::string& text, const std::string& place);

}  // namespace kv
