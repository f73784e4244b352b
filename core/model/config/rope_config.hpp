#pragma once
// The rotary part of a config: rope_theta and rope_scaling as older files have them,
// rope_parameters as newer ones do. Internal to the config reader.

#include "core/model/config/fields.hpp"

namespace kv {

Rope read_rope(Fields& fields, std::optional<ConfigRefusal>& refusal, u64 max_positions);

}  // namespace kv
