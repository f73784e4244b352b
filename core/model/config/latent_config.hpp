#pragma once
// The ranks and widths of latent attention (MLA), which this reader finds in DeepSeek configs
// alone. Other families keep a latent too (kimi_linear): priced_config.hpp reads them. Internal to
// the config reader.

#include "core/model/config/fields.hpp"

namespace kv {

void read_latent(Fields& fields, ModelConfig& config);  // sets head_dim and v_head_dim as well

}  // namespace kv
