#pragma once
// Where the files that ship with the program are, from any current folder: beside the program, in
// the installation it belongs to, or in the source tree it was built from.

#include <filesystem>
#include <optional>
#include <string_view>

namespace kv {

std::filesystem::path program_file();

// assets/NAME in the first of those places that has it.
std::optional<std::filesystem::path> shipped_asset(std::string_view name);

}  // namespace kv
