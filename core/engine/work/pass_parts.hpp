#pragma once
// A pass as its parts, in order: what each one computes, reads and writes, and how long it took.
// The parts add up to the work that count_work() counts as a whole.

#include <vector>

#include "core/cache/layout/kv_layout.hpp"
#include "core/engine/seam/batch.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"
#include "core/trace/event/parts.hpp"

namespace kv {

// Times are 0 where the batch has no clock.
std::vector<Operation> pass_parts(const ModelConfig& config, const Weights& weights,
                                  const KvLayout& layout, const Batch& batch);

}  // namespace kv
