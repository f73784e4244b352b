#pragma once
// The palette as a file dialog: what a command that opens or writes a file offers for the path that
// is typed so far. Nothing typed: what was used last, what the program brings along, and the
// current folder. Reads folders; nothing else.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/frame/overlay/overlays.hpp"
#include "app/shell/settings.hpp"

namespace kv {

enum class PathKind : std::uint8_t {
    Scene,
    ModelFolder,
    Config,
    NewScene,
    NewPicture,
    WorkloadFile
};

// What a command's path leads to; nothing for a command whose value is no path.
std::optional<PathKind> path_kind(std::string_view command);

// A path for a scene that is to be saved, at which nothing lies yet: in the current folder, or at
// home where that one takes no file.
std::string new_scene_path();

// A row either runs the command with its path or, for a folder, puts the path into the field.
std::vector<PaletteRow> path_rows(const Texts& text, const PaletteUi& palette, PathKind kind,
                                  const Settings& settings);

}  // namespace kv
