#include "app/cli/teaching/markdown.hpp"

namespace kv {

std::string markdown_words(std::string_view words) {
    constexpr std::string_view kMarks = "\\`*_[]<>#|~^{}$";
    std::string out;
    for (const char c : words) {
        if (kMarks.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace kv
