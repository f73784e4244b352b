#pragma once
// The parts that only DeepSeek configs have: the ranks of latent attention and the experts.
// Internal to the config reader.

#include "core/model/config/fields.hpp"

namespace kv {

void read_latent(Fields& fields, ModelConfig& config);   // sets head_dim and v_head_dim as well
void read_experts(Fields& fields, ModelConfig& config);  // nothing when the file names no experts

}  // namespace kv
