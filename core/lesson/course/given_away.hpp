#pragma once
// What would make a prediction no question at all. The check of the shelf asks it of every step.

#include <string>
#include <vector>

#include "core/lesson/course/shown_step.hpp"

namespace kv {

// Where the answers of a step stand before they are asked for: in its title, its text or what is
// given. Sentences without a place. A choice is given away when the right one stands there and none
// of the others does.
std::vector<std::string> given_away(const ShownStep& step);

}  // namespace kv
