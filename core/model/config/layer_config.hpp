#pragma once
// Which layers of a config slide: sliding_window with use_sliding_window, max_window_layers and
// layer_types, each family by its own rule. Internal to the config reader. The decoder runs a
// window as a mask (first_visible in core/engine/pool/seen_keys.hpp); shape_of() makes a
// WindowCache of it for the price.

#include "core/model/config/fields.hpp"

namespace kv {

// Fills sliding_window and sliding_layers; n_layers is already there.
void read_windows(Fields& fields, ModelConfig& config);

}  // namespace kv
