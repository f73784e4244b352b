#pragma once
// A page of HTML that stands alone: its style and its script are in it, and it asks nobody for
// anything. Colours and letters are those of the program's light theme.

#include <string>
#include <string_view>

namespace kv {

struct HtmlPage {
    std::string title, style, body, script;  // `script` may be empty
};
std::string html_text(const HtmlPage& page);

// Words between two tags, or within the quotes of an attribute.
std::string html_words(std::string_view words);
// <name class="of">inside</name>
std::string element(std::string_view name, std::string_view of, std::string_view inside);

}  // namespace kv
