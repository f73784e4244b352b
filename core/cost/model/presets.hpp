#pragma once
// The models that the chapters and the command line name, as their published config.json files have
// them. "llama-2-70b-mha" was never shipped: it is the 70B model with one KV head per query head,
// for contrast.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cost/model/shape.hpp"

namespace kv {

const std::vector<std::string_view>& preset_names();
std::optional<ModelShape> preset(std::string_view name);
// The title of a name in the list. Menus ask for all titles in every frame, so no family's rules
// are read for it.
std::string preset_title(std::string_view name);

}  // namespace kv
