#pragma once
// Models of 2023 to 2026 whose layers differ, by the fields of their published config.json that a
// price depends on. Internal to `preset` (core/cost/model/presets.hpp), which knows the older ones
// too.

#include <optional>
#include <string_view>
#include <vector>

#include "core/cost/model/shape.hpp"

namespace kv {

struct FamilyPreset {
    std::string_view name, title;
    std::string_view source;  // the repository on huggingface.co whose config.json says so
    std::string_view date;    // when the model was published: "2025-08"
    std::string_view config;
};

const std::vector<FamilyPreset>& family_presets();
std::optional<ModelShape> family_preset(std::string_view name);

}  // namespace kv
