#pragma once
// The options of `kvarium attach` as the commands that do the same in the window.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/terminal/options.hpp"

namespace kv {

// Those that only a terminal has; together with --window each is refused.
std::span<const std::string_view> not_in_window();

// `is_recording`: what is named is a file.
std::vector<std::string> window_commands(const GivenOptions& given, bool is_recording);

}  // namespace kv
