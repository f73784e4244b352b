#pragma once
// The work that a batch is, counted from the batch itself: what each new token sees, and the sizes
// of the matrices that it passes. Every backend does this work, so every backend reports it.

#include "core/cache/kv_layout.hpp"
#include "core/engine/batch.hpp"
#include "core/engine/work.hpp"
#include "core/model/config.hpp"
#include "core/model/weights.hpp"

namespace kv {

// Bytes of one KV head that a query reads of the slots [from, its own], as they are stored when it
// comes; and bytes that the pass writes of that head.
u64 bytes_seen(const KvLayout& layout, KvSide side, const SequenceWork& work, std::uint32_t from,
               std::uint32_t slot);
u64 bytes_stored(const KvLayout& layout, KvSide side, const SequenceWork& work);

Work count_work(const ModelConfig& config, const Weights& weights, const KvLayout& layout,
                const Batch& batch);

}  // namespace kv
