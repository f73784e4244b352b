#pragma once
// Positions "shift": stored keys stand at their rank in the cache and are rotated back where they
// lie whenever tokens before them are dropped, as some servers do. Each rotation rounds what the
// last one left, in the pool's own code; that is what it is there to show.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/numbers/codec.hpp"
#include "core/engine/run/pool/run_pool.hpp"

namespace kv {

struct ShiftedBlock {
    BlockRecoded what;
    std::uint64_t n_keys = 0, by = 0;  // positions that the furthest of its keys goes back
};

// `kept` and `dropped`: positions of the first lane, rising. What stood behind so many of those
// dropped goes back by so many positions. In the order of the table.
std::vector<ShiftedBlock> shift_keys(RunPool& pool, const ModelConfig& config, const Codec& keys,
                                     SeqId id, std::span<const std::uint32_t> kept,
                                     std::span<const std::uint32_t> dropped);

}  // namespace kv
