#pragma once
// Positions "shift": stored keys are rotated to their position in the cache, and are rotated back
// where they lie whenever tokens before them are dropped, as some servers do. Each rotation rounds
// what the last one left, in the pool's own code; to show that is what this is there for.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/numbers/codec.hpp"
#include "core/engine/run/memory/run_pool.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

struct ShiftedBlock {
    BlockRecoded what;
    std::uint64_t n_keys = 0, by = 0;  // positions that the furthest of its keys goes back
};

// `kept` and `dropped`: positions in the text of the first lane's tokens, rising. A key behind n
// dropped tokens is rotated back by n positions. Answers in the order of the table.
std::vector<ShiftedBlock> shift_keys(RunPool& pool, const ModelConfig& config, const Codec& keys,
                                     SeqId id, std::span<const std::uint32_t> kept,
                                     std::span<const std::uint32_t> dropped);

}  // namespace kv
