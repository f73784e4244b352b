#pragma once
// Words that mean nothing but themselves to Markdown.

#include <string>
#include <string_view>

namespace kv {

std::string markdown_words(std::string_view words);

}  // namespace kv
