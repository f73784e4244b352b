#pragma once
// How well a few typed letters fit a text: the letters in order, better at word starts and in runs.

#include <optional>
#include <string_view>

namespace kv {

// What one point of a fit counts in a score; the length of the text counts in smaller steps.
inline constexpr int kFuzzyPoint = 16;

// How well the letters of a query fit a text, higher is better; nothing when a letter is missing.
// Case does not count; an empty query fits all.
std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace kv
