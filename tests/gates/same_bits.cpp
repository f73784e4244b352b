#include "tests/gates/same_bits.hpp"

#include <regex>

namespace kv::gates {
namespace {

bool starts_with(const std::string& path, std::string_view folder) {
    return path.compare(0, folder.size(), folder) == 0;
}

bool shows_bits(const std::string& path) {
    if (!starts_with(path, "core/") && !starts_with(path, "app/")) return false;
    if (starts_with(path, "core/engine/cpu/")) return false;
    // Shared with device code, which cannot call the project's own.
    return path != "core/engine/reference/softmax_state.hpp";
}

}  // namespace

std::vector<std::string> check_same_bits(const Tree& tree) {
    static const std::regex kCall(
        "\\bstd::(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|"
        "atan2|sinh|cosh|tanh|hypot|cbrt|erf)f?l?\\(");
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        if (!shows_bits(file.path) || starts_with(file.path, "core/base/numbers/elementary"))
            continue;
        if (file.path.find(".cpp") == std::string::npos &&
            file.path.find(".hpp") == std::string::npos)
            continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string line(without_comment(file.lines[i]));
            std::smatch match;
            if (std::regex_search(line, match, kCall))
                findings.push_back(place(file, i) + "calls std::" + match[1].str() +
                                   "; use math::" + match[1].str() +
                                   " of core/base/numbers/elementary.hpp");
        }
    }
    return findings;
}

}  // namespace kv::gates
