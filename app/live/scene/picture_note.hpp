#pragma once
// What a picture carries so that it can be made again: the scene that was played, as a scene file
// has it, and how it was drawn. A picture opens like the scene in it. One that `kvarium shot` drew
// has, drawn again from itself, the same bytes, unless it took commands that a picture may not
// give: these are left out. One of the window opens at the same moment; it keeps neither moved
// panels nor its language, and a panel cut out of it opens as the whole window.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/picture/image.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

struct DrawnAs {
    std::string layout = "explore", theme = "dark";
    std::optional<std::string> panel;  // only this one
    PixelSize pixels{1920, 1080};
    double scale = 1, text_scale = 1;
    std::string language;
    std::vector<std::string> commands;  // carried out once the scene stands at its step
};

struct PictureNote {
    std::optional<Scene> scene;  // none: nothing ran
    DrawnAs drawn;
};

std::vector<PngText> texts_of(const PictureNote& note);

// The note in a picture; nothing when the file is no PNG. Throws kv::Error (World) when it is one
// without a note, or with one that cannot be used.
std::optional<PictureNote> read_picture_note(const std::filesystem::path& file);
PictureNote picture_note(std::string_view png, const std::string& place);

// The scene of a scene file, or of a picture that was made of one.
Scene read_scene_or_picture(const std::string& path);

}  // namespace kv
