#pragma once
// `kvarium run`: a prompt through the decoder to its last token, as text or as one JSON object.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand run_command();

}  // namespace kv
