#pragma once
// Fewer KV heads without training: each new head is the mean of the heads that its query heads used
// before (arXiv 2305.13245 starts its training there). What a model forgets by it is what lesson 7
// shows.

#include "core/model/config.hpp"
#include "core/model/weights.hpp"

namespace kv {

struct FoldedModel {
    ModelConfig config;
    Weights weights;
};

// `kv_heads` divides the config's. Everything but K and V is copied as it is.
FoldedModel fold_heads(const ModelConfig& config, const Weights& weights, u64 kv_heads);

}  // namespace kv
