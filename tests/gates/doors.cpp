#include "tests/gates/doors.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace kv::gates {

namespace {

struct Door {
    const TextFile* readme = nullptr;
    std::set<std::string> files;  // without folder and ending
};

std::string folder_behind(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return std::string(path.substr(0, slash == path.npos ? 0 : slash));
}

// "core/cache/blocks/block_pool.hpp" -> "block_pool"
std::string bare_name(std::string_view path) {
    path.remove_prefix(std::min(path.rfind('/') + 1, path.size()));
    return std::string(path.substr(0, path.find('.')));
}

// Calls f with what stands between each two backquotes of a line.
template <class F>
void each_quoted(std::string_view line, F f) {
    for (std::size_t open = line.find('`'); open != line.npos; open = line.find('`')) {
        line.remove_prefix(open + 1);
        const std::string_view quoted = line.substr(0, line.find('`'));
        line.remove_prefix(std::min(quoted.size() + 1, line.size()));
        f(quoted);
    }
}

// What stands between backquotes, each word of it as a bare name.
std::set<std::string> names_in(const TextFile& readme) {
    std::set<std::string> names;
    for (const std::string& line : readme.lines)
        each_quoted(line, [&](std::string_view quoted) {
            while (!quoted.empty()) {
                const std::size_t end = std::min(quoted.find_first_of(", "), quoted.size());
                if (end > 0) names.insert(bare_name(quoted.substr(0, end)));
                quoted.remove_prefix(std::min(end + 1, quoted.size()));
            }
        });
    return names;
}

bool is_of_identifier(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

template <class F>
void each_identifier(std::string_view text, F f) {
    while (!text.empty()) {
        const auto begin = std::find_if(text.begin(), text.end(), is_of_identifier);
        const auto end = std::find_if_not(begin, text.end(), is_of_identifier);
        if (begin != end) f(std::string(begin, end));
        text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    }
}

bool is_page(std::string_view path) {
    return path.ends_with(".md");
}

bool is_door_of_sources(std::string_view path) {
    return path.ends_with("/README.md") &&
           (path.starts_with("app/") || path.starts_with("core/") || path.starts_with("cuda/"));
}

}  // namespace

std::vector<std::string> check_doors(const Tree& tree) {
    std::map<std::string, Door> doors;
    for (const TextFile& file : tree) {
        if (file.path.starts_with("tests/")) continue;
        if (file.path.ends_with("/README.md")) doors[folder_behind(file.path)].readme = &file;
        if (is_source(file.path))
            doors[folder_behind(file.path)].files.insert(bare_name(file.path));
    }
    std::vector<std::string> findings;
    for (const auto& [folder, door] : doors) {
        if (!door.readme || door.files.empty()) continue;
        const std::string heading = "# " + folder;
        if (door.readme->lines.empty() || door.readme->lines.front() != heading)
            findings.push_back(place(*door.readme, 0) + "the first line is not \"" + heading +
                               "\".");
        const std::set<std::string> named = names_in(*door.readme);
        for (const std::string& name : door.files)
            if (!named.contains(name))
                findings.push_back(door.readme->path + " does not name the file " + name + ".");
    }
    return findings;
}

std::vector<std::string> check_names(const Tree& tree) {
    std::set<std::string> known;
    const auto know = [&](std::string word) { known.insert(std::move(word)); };
    for (const TextFile& file : tree) {
        each_identifier(file.path, know);
        if (is_page(file.path)) continue;
        for (const std::string& line : file.lines) each_identifier(line, know);
    }
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        if (!is_door_of_sources(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i)
            each_quoted(file.lines[i], [&](std::string_view quoted) {
                each_identifier(quoted, [&](const std::string& word) {
                    if (!known.contains(word))
                        findings.push_back(place(file, i) + "nothing is called " + word + ".");
                });
            });
    }
    return findings;
}

std::vector<std::string> check_index(const Tree& tree) {
    constexpr std::string_view kIndex = "docs/where-to-look.md", kTable = "| where to look for |";
    const auto index =
        std::find_if(tree.begin(), tree.end(), [&](auto& file) { return file.path == kIndex; });
    if (index == tree.end()) return {std::string(kIndex) + " is not there."};
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        if (!is_door_of_sources(file.path)) continue;
        const auto holds = [](const TextFile& page, const std::string& part) {
            return std::any_of(page.lines.begin(), page.lines.end(), [&](const std::string& line) {
                return line.find(part) != line.npos;
            });
        };
        if (holds(file, std::string(kTable)) && !holds(*index, "(../" + file.path))
            findings.push_back(std::string(kIndex) + " does not lead to " + file.path + ".");
    }
    return findings;
}

}  // namespace kv::gates
