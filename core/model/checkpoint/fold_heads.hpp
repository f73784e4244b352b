#pragma once
// Fewer KV heads without training: each new head is the mean of the heads that its query heads used
// before (arXiv 2305.13245 starts its training there). What a model forgets by it is what lesson 7
// shows.

#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// `config` is of the weights as they are, and its KV heads are divided by `kv_heads`.
void fold_heads(const ModelConfig& config, u64 kv_heads, Weights& weights);

}  // namespace kv
