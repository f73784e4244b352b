#pragma once
// The start of the program up to its first frame, without a display.

#include <optional>
#include <string>

namespace kv {

// Writes "first frame: RENDERER" to `out` as soon as the frame is drawn, before anything is taken
// down.
int run_first_frame(const std::optional<std::string>& out);

}  // namespace kv
