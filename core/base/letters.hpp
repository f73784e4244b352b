#pragma once
// Text as letters: blanks at its ends, small ones and capitals. Only those
// of ASCII are known.

#include <string>
#include <string_view>

namespace kv {

std::string_view trimmed(std::string_view text);  // without blanks and line ends at both ends
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);

}  // namespace kv
