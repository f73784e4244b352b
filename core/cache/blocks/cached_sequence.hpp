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

// How far a request walks along a chain of contents; only PrefixChains moves it.
struct PrefixChain {
    std::string salt;
    PrefixId root{0};
    // The content of the request's first n_blocks blocks; none: it finds and publishes no more.
    std::optional<PrefixId> end;
    std::uint32_t n_blocks = 0;
    // Some of what is stored was coded under another codec, so it is not what the contents say:
    // nothing is published until all of it is computed again.
    bool is_recoded = false;
};

struct CachedSequence {
    explicit CachedSequence(SeqId of) : id(of) {}

    SeqId id;
    std::vector<std::uint32_t> tokens;
    std::uint32_t stored = 0, times_let_go = 0;
    std::vector<std::vector<std::optional<BlockId>>> tables;  // by lane; a hole: all dropped
    std::vector<SlotMap> slots;                               // by lane
    PrefixChain chain;

    // The block that holds a slot of a lane; none where it was given back.
    std::optional<BlockId> block_of(LaneId lane, std::uint32_t slot,
                                    std::uint32_t block_size) const {
        const auto& table = tables[lane.index()];
        const std::uint32_t entry = slot / block_size;
        return entry < table.size() ? table[entry] : std::nullopt;
    }
    // Slots of an entry that hold keys and values of this request.
    std::uint32_t filled_slots(LaneId lane, std::uint32_t entry, std::uint32_t block_size) const {
        const std::uint32_t n = slots[lane.index()].slots_taken(stored);
        return std::min(block_size, n - std::min(n, entry * block_size));
    }
};

}  // namespace kv
