#pragma once
// Where the files that ship with the program are, from any current folder: beside the program, in
// the installation it belongs to, or in the source tree it was built from.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

std::filesystem::path program_file();

// The folder of a shipped model by its name, or the folder itself. Throws kv::Error when the name
// is empty, or a shipped model is not there.
std::filesystem::path model_folder(const std::string& model);

// The file of a shipped scene by its name ("explore"), or the file itself. Throws kv::Error for a
// name without a slash or a point that is neither.
std::filesystem::path scene_file(const std::string& scene);
bool names_a_scene(const std::string& word);
std::vector<std::string> shipped_scenes();  // their names, in order

// The folder of the shipped lessons. Throws kv::Error when it is not there.
std::filesystem::path lessons_folder();

// assets/NAME in the first of those places that has it.
std::optional<std::filesystem::path> shipped_asset(std::string_view name);

}  // namespace kv
