#pragma once
// The experts of a model (MoE), as DeepSeek configs name them. Internal to the config reader.

#include "core/model/config/fields.hpp"

namespace kv {

void read_experts(Fields& fields, ModelConfig& config);  // nothing when the file names no experts

}  // namespace kv
