#pragma once
// A request as the books know it: its tokens, and in each lane a block table and which of its slots
// are still kept.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.hpp"
#include "core/trace/slot_map.hpp"

namespace kv {

struct CachedSequence {
    std::vector<std::uint32_t> tokens;
    std::uint32_t stored = 0, times_let_go = 0;
    std::vector<std::vector<std::optional<BlockId>>> tables;  // by lane; a hole: all dropped
    std::vector<SlotMap> slots;                               // by lane

    // Slots of an entry that hold keys and values of its own.
    std::uint32_t filled_slots(LaneId lane, std::uint32_t entry, std::uint32_t block_size) const {
        const std::uint32_t n = slots[lane.index()].slots(stored);
        return std::min(block_size, n - std::min(n, entry * block_size));
    }
};

}  // namespace kv
