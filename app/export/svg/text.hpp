#pragma once
// The small change of SVG: numbers, colours and texts as XML writes them. The same value gives the
// same letters on every machine.

#include <string>
#include <string_view>

#include "app/shell/theme.hpp"

namespace kv {

// A number with at most two decimals, and none of them a trailing zero: "12", "0.5", "-3.25".
std::string svg_number(double value);
// `fill="#15181d"`, with an opacity when it is not solid. `what`: fill or stroke.
std::string svg_paint(std::string_view what, Color color);
// A text as XML, for elements and attributes. What XML cannot hold becomes U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace kv
