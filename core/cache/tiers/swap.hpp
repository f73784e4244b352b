#pragma once
// Requests below the device (preemption by swapping, arXiv 2309.06180, 4.5): every block that holds
// something of the request is copied to a place of a lower tier, and back into a block when its
// turn comes. Copies out are done at once, and Cache::swap_out gives the blocks back then. Copies
// in are begun and finished, at once or iterations later: meanwhile the block is pinned and the
// place stays this request's, so neither changes hands. Which block an entry comes back to is the
// caller's choice.

#include <cstdint>
#include <map>
#include <vector>

#include "core/cache/blocks/cached_sequence.hpp"
#include "core/cache/tiers/cold_tier.hpp"

namespace kv {

class Swap {
public:
    Swap(const CacheSpec& spec, DeviceBlocks& device, Transfers& transfers, ColdTier& cold,
         EventWriter& log)
        : spec_(spec),
          device_(device),
          transfers_(transfers),
          tiers_(transfers.tiers()),
          cold_(cold),
          log_(log) {}

    // Places of cached blocks count as free: they are given up when a request needs them.
    std::uint32_t places_free() const { return tiers_.n_free() + tiers_.n_cached(); }
    // The places of a request, by table entry; empty for one that is on the device.
    const std::vector<std::uint32_t>& places(SeqId id) const;
    bool is_loading(SeqId id) const;

    void copy_out(SeqId id, const CachedSequence& s, const Reason& reason);
    void begin_load(SeqId id, std::uint32_t entry, BlockId block);
    void finish_loads(SeqId id, const CachedSequence& s);
    void give_up(SeqId id, const Reason& reason);

private:
    struct Swapped {
        std::vector<std::uint32_t> places;
        bool loading = false;
    };

    const CacheSpec& spec_;
    DeviceBlocks& device_;
    Transfers& transfers_;
    Tiers& tiers_;
    ColdTier& cold_;
    EventWriter& log_;
    std::map<std::uint32_t, Swapped> swapped_;  // by SeqId

    friend class Tamper;  // of the tests: breaks a rule so that check() must say so
};

}  // namespace kv
