#pragma once
// The decoder as the papers write it, and the truth that every other backend is measured against:
// the transformer of arXiv 1706.03762, with RMSNorm (1910.07467) and SwiGLU (2002.05202).
// Each sum runs over its logical index from 0 up, so no bit of the result depends on block sizes,
// tables or who else is in the batch. Where the codec loses nothing, none depends on chunks either,
// nor on whether there was a cache: cached and recomputed runs are equal bit for bit. It computes
// in float; in double it is the truth behind the truth.

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
