#pragma once
// The start of the program up to its first frame, without a display.

#include <optional>
#include <string>

namespace kv {

// Draws that many frames and writes "first frame: RENDERER" to `out` as soon as the last one is
// done, before anything is taken down. One frame is what a display shows first: the top bar, while
// Dear ImGui still measures what goes into the docks. Two are the whole picture.
int run_first_frames(int frames, const std::optional<std::string>& out);

}  // namespace kv
