#pragma once
// What a policy drops of a live request. A dropped token's slot is dead; a block of nothing but
// dead slots is given back and leaves a hole in the table; and when dead slots are many, the
// survivors of a lane move together into new blocks. A slot is written once, so moving means new
// blocks.

#include <cstdint>

#include "core/cache/prefix_chains.hpp"
#include "core/cache/tables.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

struct TokensDropped;

class Drops {
public:
    Drops(const CacheSpec& spec, DeviceBlocks& device, Tables& tables, PrefixChains& chains,
          Transfers& transfers, EventWriter& log)
        : spec_(spec),
          device_(device),
          tables_(tables),
          chains_(chains),
          transfers_(transfers),
          log_(log) {}

    // `what` names the positions, rising, and the reasons; slots and what is left are filled in.
    void drop(SeqId id, TokensDropped what, const Reason& reason);
    // False when there are not enough free blocks, and then nothing has changed.
    bool compact(SeqId id, LaneId lane);

    // Dead slots of the blocks that the request holds.
    std::uint32_t dead_slots(SeqId id, LaneId lane) const;
    // All slots of the entry are written, and none is kept.
    bool is_dead(const CachedSequence& s, LaneId lane, std::uint32_t entry) const;
    // A slot is dead when all who hold its block have dropped it.
    void count_dead(Snapshot& snapshot) const;

private:
    const CacheSpec& spec_;
    DeviceBlocks& device_;
    Tables& tables_;
    PrefixChains& chains_;
    Transfers& transfers_;
    EventWriter& log_;
};

}  // namespace kv
