#pragma once
// What a recording of a server holds at its end, as text: the table or the object that listening
// to the server itself would have given.

#include <optional>
#include <string>

#include "app/cli/attach/input.hpp"

namespace kv {

// Nothing after Ctrl+C. kv::Error (World) where the file is no recording or has no such rank.
std::optional<std::string> read_recorded(const AttachInput& input);

}  // namespace kv
