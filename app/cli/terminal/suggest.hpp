#pragma once
// The known word that a mistyped one was probably meant to be.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

// Letters to insert, drop, replace or swap with a neighbour to get from one word to the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

// The closest word, when it is close: a third of the letters may differ, or one contains the other.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace kv
