#pragma once
// The window: opens it, draws when something changed, sleeps otherwise.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/screen/screen.hpp"

namespace kv {

struct WindowOptions {
    std::string layout;                 // empty: as it was left
    std::string theme;                  // empty: as it was left
    std::string language;               // a translation file, or "pseudo"
    std::optional<std::string> scene;   // a name or a file; none: the layout's own
    std::optional<std::string> model;   // instead of the scene's
    std::optional<std::uint32_t> step;  // instead of the scene's
    std::vector<std::string> commands;  // carried out before the first frame
};

// The window with what it was asked to show, before its first frame. Throws kv::Error (Missing)
// without a display.
std::unique_ptr<Screen> open_screen(const WindowOptions& options);
// Opens it and turns its loop to the end. Returns the exit code.
int run_window(const WindowOptions& options);

}  // namespace kv
