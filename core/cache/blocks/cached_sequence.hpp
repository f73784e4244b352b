#pragma once
// A request as the books know it: its tokens, in each lane a block table and which of its slots are
// still kept, and how far it walks a chain of prefixes.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.hpp"
#include "core/cache/prefix/index.hpp"
#include "core/trace/slot_map.hpp"

namespace kv {

// Of one request; PrefixChains alone walks on.
struct PrefixChain {
    std::string salt;
    PrefixId root{0};
    // The content of its first n_blocks blocks; none when it finds and publishes no more.
    std::optional<PrefixId> end;
    std::uint32_t n_blocks = 0;
};

struct CachedSequence {
    explicit CachedSequence(SeqId of) : id(of) {}

    SeqId id;
    std::vector<std::uint32_t> tokens;
    std::uint32_t stored = 0, times_let_go = 0;
    std::vector<std::vector<std::optional<BlockId>>> tables;  // by lane; a hole: all dropped
    std::vector<SlotMap> slots;                               // by lane
    PrefixChain chain;

    // Slots of an entry that hold keys and values of its own.
    std::uint32_t filled_slots(LaneId lane, std::uint32_t entry, std::uint32_t block_size) const {
        const std::uint32_t n = slots[lane.index()].slots(stored);
        return std::min(block_size, n - std::min(n, entry * block_size));
    }
};

}  // namespace kv
