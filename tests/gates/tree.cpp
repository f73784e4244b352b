#include "tests/gates/tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace kv::gates {

namespace {

// Hidden folders belong to tools, except the one that holds our own checks.
bool is_left_out(const std::filesystem::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (name == ".git") return true;  // a file in a second work tree
    return entry.is_directory() && (name == "build" || name == "dist" || name == "__pycache__" ||
                                    (name.front() == '.' && name != ".ci"));
}

std::string content_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TextFile text_file(std::string path, std::string_view content) {
    TextFile file{std::move(path), {}};
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        file.lines.emplace_back(content.substr(0, end));
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    return file;
}

Tree read_tree(const std::filesystem::path& root) {
    Tree tree;
    std::filesystem::recursive_directory_iterator entry(root);
    for (const auto end = std::filesystem::end(entry); entry != end; ++entry) {
        if (is_left_out(*entry)) {
            entry.disable_recursion_pending();
        } else if (entry->is_regular_file()) {
            const std::string content = content_of(entry->path());
            const bool is_text = content.find('\0') == std::string::npos;
            if (is_text)
                tree.push_back(
                    text_file(entry->path().lexically_relative(root).generic_string(), content));
        }
    }
    std::sort(tree.begin(), tree.end(),
              [](const TextFile& a, const TextFile& b) { return a.path < b.path; });
    return tree;
}

bool is_source(std::string_view path) {
    return path.ends_with(".cpp") || path.ends_with(".hpp") || path.ends_with(".cu") ||
           path.ends_with(".cuh") || path.ends_with(".h");
}

std::string place(const TextFile& file, std::size_t line_index) {
    return file.path + ":" + std::to_string(line_index + 1) + ": ";
}

std::string_view without_comment(std::string_view line) {
    return line.substr(0, line.find("//"));
}

}  // namespace kv::gates
