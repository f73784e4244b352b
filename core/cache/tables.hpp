#pragma once
// The block tables of all requests. A block of the device enters a table in one of two ways: taken
// from the free list (take, allocate), or beside others that hold it (enter_shared; the caller has
// counted the request: Forks, Cache::take_hits, Cache::grow_tree). It leaves by give_back or
// leave_hole. Two parts put new blocks in the place of old ones themselves:
// Forks::copy_shared_tail and Drops::compact.

#include <cstdint>
#include <map>
#include <vector>

#include "core/cache/blocks/cached_sequence.hpp"
#include "core/cache/findable_blocks.hpp"

namespace kv {

class Tables {
public:
    Tables(const CacheSpec& spec, DeviceBlocks& device, FindableBlocks& findable, EventWriter& log)
        : spec_(spec), device_(device), findable_(findable), log_(log) {}

    CachedSequence& open(SeqId id);
    void close(SeqId id) { sequences_.erase(id.value); }
    bool is_open(SeqId id) const { return sequences_.find(id.value) != sequences_.end(); }
    CachedSequence& of(SeqId id);
    const CachedSequence& of(SeqId id) const;
    std::map<std::uint32_t, CachedSequence>& all() { return sequences_; }
    const std::map<std::uint32_t, CachedSequence>& all() const { return sequences_; }
    bool holds_blocks(SeqId id) const;

    // The next block of the free list, held once; the caller enters it in a table.
    BlockId take(SeqId id, LaneId lane);
    // Takes a block as the next entry of the request's table.
    BlockId allocate(CachedSequence& s, LaneId lane, const Reason& reason);
    // Enters a block that others hold too; the caller has counted the request as a holder.
    void enter_shared(CachedSequence& s, LaneId lane, std::uint32_t entry, BlockId block,
                      const Reason& reason);

    // The block of an entry goes back; the table ends with its last block.
    void give_back(CachedSequence& s, LaneId lane, std::uint32_t entry, const Reason& reason,
                   FreeEnd end);
    // The same where the entries behind it keep their numbers: its own becomes a hole.
    void leave_hole(CachedSequence& s, LaneId lane, std::uint32_t entry, const Reason& reason,
                    FreeEnd end);
    // Gives all blocks back. Where the free order says so, those that nobody can find again come to
    // the head of the free list; of either kind the last of a table is handed out first.
    void give_back_all(CachedSequence& s, const Reason& reason);

    // Tokens [0, upto) have keys and values from here on.
    void set_stored(CachedSequence& s, std::uint32_t upto);

private:
    void give_back_wrongly(CachedSequence& s, LaneId lane, const Reason& reason);

    const CacheSpec& spec_;
    DeviceBlocks& device_;
    FindableBlocks& findable_;
    EventWriter& log_;
    std::map<std::uint32_t, CachedSequence> sequences_;  // by SeqId, in order
};

}  // namespace kv
