#pragma once
// What the program remembers about a person between two starts. One small JSON file, read strictly:
// an unknown key, a wrong type or a value out of range is refused by name. A file that cannot be
// used never stops the program, and is kept beside the new one when settings are saved.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/geometry.hpp"
#include "app/shell/theme.hpp"

namespace kv {

inline constexpr float kSmallestTextScale = 0.8f, kLargestTextScale = 3.0f;

struct Settings {
    ThemeName theme = ThemeName::Dark;
    float text_scale = 1.0f;
    bool reduced_motion = false;
    std::string layout = "explore";  // learn, explore, present, compare or attach
    bool first_start_done = false;
    PixelSize window{1600, 900};                            // logical pixels
    std::vector<std::string> recent_scenes, recent_models;  // paths, the newest first
    std::vector<std::string> recent_servers;                // what `attach.open` was told
    friend bool operator==(const Settings&, const Settings&) = default;
};

// Puts a path first, once; the oldest of more than eight is forgotten.
void remember(std::vector<std::string>& recent, const std::string& path);

// Pure: text to settings and back. A refusal is a kv::Error (World) that starts with `name`.
Settings load_settings(std::string_view text, std::string_view name);
std::string print_settings(const Settings& settings);

struct ReadSettings {
    Settings settings;
    std::optional<std::string> complaint;  // why the defaults stand instead of the file
};
// Where there is no file: the defaults, and no complaint.
ReadSettings read_settings(const std::filesystem::path& file);

// Makes the folder if need be. A file that load_settings refuses is renamed to FILE.bad first.
void write_settings(const std::filesystem::path& file, const Settings& settings);

}  // namespace kv
