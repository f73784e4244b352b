#include "tests/gates/doors.hpp"

#include <algorithm>
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

// What stands between backquotes, each word of it as a bare name.
std::set<std::string> names_in(const TextFile& readme) {
    std::set<std::string> names;
    for (std::string_view line : readme.lines) {
        for (std::size_t open = line.find('`'); open != line.npos; open = line.find('`')) {
            line.remove_prefix(open + 1);
            std::string_view quoted = line.substr(0, line.find('`'));
            line.remove_prefix(std::min(quoted.size() + 1, line.size()));
            while (!quoted.empty()) {
                const std::size_t end = std::min(quoted.find_first_of(", "), quoted.size());
                if (end > 0) names.insert(bare_name(quoted.substr(0, end)));
                quoted.remove_prefix(std::min(end + 1, quoted.size()));
            }
        }
    }
    return names;
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

}  // namespace kv::gates
