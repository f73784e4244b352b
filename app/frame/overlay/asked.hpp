#pragma once
// Which value a command needs, in words with an example: what stands in the palette's field until
// something is typed.

#include <optional>
#include <span>
#include <string_view>

#include "app/shell/commands.hpp"

namespace kv {

// "a request's name, such as A"; none for a command that asks for nothing.
std::optional<TextId> asked_value(CommandId command);

// Values to begin with, where a command has no list of all of them: "copy", "set share off".
std::span<const std::string_view> example_values(std::string_view command);

// The same with the command's own words. `command`: its name in the table.
Text asked_words(const Texts& text, std::string_view command);

}  // namespace kv
