#pragma once
// The work that a batch is, counted from the batch itself: what each new token sees, and the sizes
// of the matrices that it passes. Every backend does this work, so every backend reports it.

#include "core/cache/layout/kv_layout.hpp"
#include "core/engine/seam/batch.hpp"
#include "core/engine/seam/work.hpp"
#include "core/model/checkpoint/weights.hpp"
#include "core/model/config/config.hpp"

namespace kv {

constexpr u64 kFlopsOfBound = 4;  // for a channel: two products, the larger one, and the sum

// Bytes of one KV head that a new token reads of the `n_keys` newest that it sees, as they are
// stored when it comes.
u64 bytes_seen(const KvLayout& layout, Side side, const SequenceWork& work, std::size_t row,
               u64 n_keys);
// Bytes that the pass writes of that head.
u64 bytes_stored(const KvLayout& layout, Side side, const SequenceWork& work);

u64 multiply_adds(const Matrix& m);  // operations of a token that passes it

Work count_work(const ModelConfig& config, const Weights& weights, const KvLayout& layout,
                const Batch& batch);

}  // namespace kv
