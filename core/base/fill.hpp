#pragma once
// A text with {named} places and what stands there. What follows a number agrees with it:
// "{n} {n:token|tokens}" has the first word where n is 1, and else the second.

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/reused_text.hpp"

namespace kv {

using Place = std::pair<std::string_view, std::string_view>;
// What goes where "{inside}" stands: a value, or the word that agrees with one; none where the
// place is not given.
struct Filling {
    std::string_view text;
    bool is_value = true;
};
std::optional<Filling> filling_of(std::string_view inside, std::span<const Place> places);
Text fill(std::string_view text, std::span<const Place> places);
inline Text fill(std::string_view text, std::initializer_list<Place> places) {
    return fill(text, std::span(places.begin(), places.size()));
}

// The {places} of a text, in order of appearance, without words that agree with one.
std::vector<std::string_view> places_of(std::string_view text);

}  // namespace kv
