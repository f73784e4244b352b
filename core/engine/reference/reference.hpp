#pragma once
// The decoder as the paper writes it, in one function, and the truth that every other backend is
// measured against. Each sum runs over its logical index from 0 up, so the result does not depend
// on chunks, block sizes, tables or who else is in the batch: cached and recomputed runs are equal
// bit for bit. `Real` is float; double is the truth behind the truth.

#include <cstdint>
#include <memory>

#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv {

enum class Precision : std::uint8_t { F32, F64 };

// `config` and `weights` outlive the backend; several backends may share them.
std::unique_ptr<Backend> make_reference(const ModelConfig& config, const Weights& weights,
                                        const PoolSpec& pool, Precision precision = Precision::F32);

}  // namespace kv
