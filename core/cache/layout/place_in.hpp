#pragma once
// Translates a slot of a sequence into a slot of the pool by its block table, for whoever reads or
// writes one vector at a time. Code that goes over whole blocks divides once for each block, the
// books have CachedSequence::block_of, and kernels PagedKv (cuda/kernels/attention/paged_kv.hpp).

#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "core/cache/layout/kv_layout.hpp"

namespace kv {

struct SlotPlace {
    BlockId block;
    Slot slot;  // in the block
};
inline SlotPlace place_in(const std::vector<BlockId>& table, std::uint32_t slot,
                          const KvLayout& layout) {
    const std::uint32_t entry = slot / layout.block_size;
    KV_ASSERT(entry < table.size() && table[entry].value < layout.n_blocks);
    return {table[entry], Slot(slot % layout.block_size)};
}

}  // namespace kv
