#pragma once
// Text that came from outside (a path, a value of a file, an option), made fit for a one-line
// message: control characters are spelled out, bytes that are not UTF-8 are escaped, and what is
// long is cut.

#include <string>
#include <string_view>

namespace kv {

std::string shown(std::string_view text);  // at most 160 characters

}  // namespace kv
