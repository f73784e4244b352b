#pragma once
// Blocks: how many a sequence needs, how many a pool has, and who fits. A physical block exists in
// every layer, so one block table serves a sequence and its longest layer decides how many blocks
// it holds.

#include <optional>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

// Where a token sits in its block table.
struct TablePlace {
    u64 logical_block;
    Slot offset;
};
TablePlace table_place_of(Pos pos, u64 block_size);

u64 blocks_for(u64 tokens, u64 block_size);   // the last one may be partly filled
u64 full_blocks(u64 tokens, u64 block_size);  // those that can be shared
u64 idle_slots(u64 tokens, u64 block_size);
double used_share(u64 used, u64 reserved);  // in [0, 1]

// Blocks in the table of one sequence. With windows only, those that left the largest window are
// back in the pool, so the count follows the alignment of the window's start.
u64 blocks_per_sequence(const CacheShape& shape, u64 tokens, u64 block_size);

struct PoolBytes {
    u64 bytes;
};
struct PoolBlocks {
    u64 blocks;
};
using GivenPool = std::variant<PoolBytes, PoolBlocks>;
u64 blocks_in(const GivenPool& pool, u64 bytes_per_block);

Derived derive_blocks_per_sequence(const CacheShape& shape, u64 tokens, u64 block_size);
Derived derive_pool_blocks(const GivenPool& pool, u64 bytes_per_block);  // "blocks"
Derived derive_needed_blocks(u64 batch, u64 blocks_per_sequence);        // "blocks"
Derived derive_tokens_capacity(u64 blocks, u64 block_size);
Derived derive_sequences_capacity(u64 blocks, u64 blocks_per_sequence);
Derived derive_fits_pool(u64 batch, u64 blocks_per_sequence, u64 pool_blocks);  // "fits"
Derived derive_fits_device(u64 weight_bytes, u64 kv_bytes, u64 device_bytes);   // "fits"

}  // namespace kv
