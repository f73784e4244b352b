#pragma once
// `kvarium calc`: prices a model. Where the model comes from is one of a preset, a config.json or a
// shape given by hand; the rest of the options ask the questions.

#include "app/cli/terminal/command.hpp"

namespace kv {

Subcommand calc_command();

}  // namespace kv
