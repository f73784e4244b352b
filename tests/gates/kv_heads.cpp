#include "tests/gates/kv_heads.hpp"

#include <regex>

namespace kv::gates {
namespace {

// Exercises know the wrong ways, too: what a student divides by mistake.
bool may_divide(const std::string& path) {
    return path == "core/base/kv_head.hpp" || path.starts_with("core/lesson/exercises/questions/");
}

bool is_source(const std::string& path) {
    return (path.starts_with("app/") || path.starts_with("core/") || path.starts_with("cuda/") ||
            path.starts_with("bench/")) &&
           (path.find(".cpp") != std::string::npos || path.find(".hpp") != std::string::npos ||
            path.find(".cu") != std::string::npos);
}

}  // namespace

std::vector<std::string> check_kv_heads(const Tree& tree) {
    // Query heads by KV heads, one query head by a group, and a head scaled down to KV heads.
    static const std::regex kDivision(
        "\\bn_heads_?\\)? / .*kv_heads|\\b(query_)?head\\)? / [\\w.>-]*group(_size)?\\b|"
        "head\\b.*\\* [\\w.>-]*n_kv_heads_? / [\\w.>-]*n_heads_?\\b");
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        if (!is_source(file.path) || may_divide(file.path)) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i)
            if (std::regex_search(std::string(without_comment(file.lines[i])), kDivision))
                findings.push_back(place(file, i) +
                                   "divides heads; call group_size or kv_head_of of "
                                   "core/base/kv_head.hpp");
    }
    return findings;
}

}  // namespace kv::gates
