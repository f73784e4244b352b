#pragma once
// Questions about what a frame showed.

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/shell/ui.hpp"

namespace kv::test {

inline bool says(const std::vector<WrittenText>& written, std::string_view words) {
    return std::any_of(written.begin(), written.end(), [&](const WrittenText& text) {
        return text.text.find(words) != std::string_view::npos;
    });
}

inline bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace kv::test
