#pragma once
// The small change of SVG: numbers, colours and texts as XML writes them. The same value gives the
// same letters on every machine.

#include <string>
#include <string_view>

#include "app/shell/theme.hpp"

namespace kv {

// At most two decimals, none that is zero: "12", "0.5", "-3.25".
std::string svg_number(double value);
// `fill="#15181d"`, with an opacity when it is not solid. `what`: fill or stroke.
std::string svg_paint(std::string_view what, Color color);
// For text and for attributes. What XML cannot hold becomes U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace kv
