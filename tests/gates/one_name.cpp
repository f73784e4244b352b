#include "tests/gates/one_name.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace kv::gates {
namespace {

bool is_source(const TextFile& file) {
    constexpr std::array<std::string_view, 4> kFolders{"app/", "core/", "cuda/", "bench/"};
    constexpr std::array<std::string_view, 4> kEnds{".hpp", ".cpp", ".cu", ".cuh"};
    const auto begins = [&](std::string_view folder) { return file.path.starts_with(folder); };
    const auto ends = [&](std::string_view end) { return file.path.ends_with(end); };
    return std::any_of(kFolders.begin(), kFolders.end(), begins) &&
           std::any_of(kEnds.begin(), kEnds.end(), ends);
}

// "struct Segment {" at the beginning of a line: how the formatter writes what a namespace holds.
// A declaration, and what a template is made for, end or go on otherwise.
std::string_view type_of(std::string_view line) {
    for (const std::string_view word : {"struct ", "class ", "enum class ", "union "}) {
        if (!line.starts_with(word)) continue;
        const std::string_view rest = line.substr(word.size());
        const std::size_t end = rest.find_first_of(" :;<{");
        const std::string_view after =
            end == std::string_view::npos ? std::string_view() : rest.substr(end);
        const bool defines = after.find('{') != std::string_view::npos || after.find(" : ") == 0;
        if (defines && !after.starts_with("::") && !after.starts_with("<"))
            return rest.substr(0, end);
    }
    return {};
}

class Names {
public:
    void read(const TextFile& file) {
        std::vector<std::string> inside;  // of these namespaces; an unnamed one is empty
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string_view line = file.lines[i];
            if (line.starts_with("namespace ") && line.find('=') == std::string_view::npos)
                inside.emplace_back(name_of(line));
            else if (line.starts_with("}  // namespace") && !inside.empty())
                inside.pop_back();
            else if (const auto type = type_of(line); !type.empty() && is_seen(inside))
                add(file, i, inside, type);
        }
    }
    std::vector<std::string> found;

private:
    static std::string_view name_of(std::string_view line) {
        const std::string_view rest = line.substr(std::string_view("namespace ").size());
        return rest.substr(0, rest.find_first_of(" {"));
    }
    static bool is_seen(const std::vector<std::string>& inside) {
        return std::none_of(inside.begin(), inside.end(),
                            [](const std::string& name) { return name.empty(); });
    }
    void add(const TextFile& file, std::size_t line, const std::vector<std::string>& inside,
             std::string_view type) {
        std::string name;
        for (const std::string& part : inside) name += part + "::";
        name += type;
        const auto [known, is_new] = first_.emplace(name, file.path);
        if (!is_new)
            found.push_back(place(file, line) + name + " is another type in " + known->second +
                            ".");
    }

    std::map<std::string, std::string> first_;  // the file that defines it
};

}  // namespace

std::vector<std::string> check_one_name(const Tree& tree) {
    Names names;
    for (const TextFile& file : tree)
        if (is_source(file)) names.read(file);
    return names.found;
}

}  // namespace kv::gates
