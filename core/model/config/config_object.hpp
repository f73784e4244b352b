#pragma once
// A config.json before its fields: the bytes of the file, and the one object that they hold.
// Internal to the readers.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "core/model/config/config.hpp"

namespace kv {

constexpr u64 kMaxConfigBytes = u64{1} << 20U;

// Throws kv::Error (World) with a sentence that names the path.
std::string config_text(const std::string& path);
std::variant<nlohmann::json, ConfigRefusal> config_object(std::string_view text);

}  // namespace kv
