#pragma once
// Questions about what a frame showed.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/ui.hpp"

namespace kv::test {

inline bool says(const std::vector<WrittenText>& written, std::string_view words) {
    return std::any_of(written.begin(), written.end(), [&](const WrittenText& text) {
        return text.text.find(words) != std::string_view::npos;
    });
}

// The same of words that may be wrapped: lines follow each other in the order of writing.
inline bool says_in_lines(const std::vector<WrittenText>& written, std::string_view words) {
    std::string all;
    for (const WrittenText& text : written) all += text.text + " ";
    return all.find(words) != std::string::npos;
}

inline bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace kv::test
