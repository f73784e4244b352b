#pragma once
// The work that a batch is, counted from the batch itself: what each new token sees, and the sizes
// of the matrices that it passes. Every backend does this work, so every backend reports it.

#include "core/cache/kv_layout.hpp"
#include "core/engine/batch.hpp"
#include "core/engine/work.hpp"
#include "core/model/config.hpp"
#include "core/model/weights.hpp"

namespace kv {

Work count_work(const ModelConfig& config, const Weights& weights, const KvLayout& layout,
                const Batch& batch);

}  // namespace kv
