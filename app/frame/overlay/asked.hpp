#pragma once
// Which value a command needs, in words with an example: what stands in the palette's field until
// something is typed.

#include <optional>
#include <string_view>

#include "app/shell/commands.hpp"

namespace kv {

// "a request's name, such as A"; none for a command that no menu asks for.
std::optional<TextId> asked_value(CommandId command);

// The same with the command's own words. `command`: its name in the table.
Text asked_words(const Texts& text, std::string_view command);

}  // namespace kv
