#pragma once
// The source tree as text, for the gates that read it. A planted tree is a literal of the same
// type, so every gate can be shown a fault without a file on disk.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kv::gates {

struct TextFile {
    std::string path;  // relative to the root, with forward slashes
    std::vector<std::string> lines;
};
using Tree = std::vector<TextFile>;

TextFile text_file(std::string path, std::string_view content);

// Every text file below `root` except build trees and hidden folders of tools. Sorted by path.
Tree read_tree(const std::filesystem::path& root);

// C++ and CUDA, headers included.
bool is_source(std::string_view path);

// "core/base/numbers/units.hpp:12: " - how compilers name a place, so that editors can jump there.
std::string place(const TextFile& file, std::size_t line_index);

// Without its // comment. String literals that hold // are cut short, which no gate minds.
std::string_view without_comment(std::string_view line);

}  // namespace kv::gates
