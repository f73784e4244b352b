#pragma once
// Cached blocks below the device: what would be forgotten when its block is taken is kept in the
// host instead, sinks to the file when the host is full, and is given up when the file is. The
// index knows the place of each, so a prefix finds them still.

#include <cstdint>
#include <vector>

#include "core/cache/prefix/index.hpp"
#include "core/cache/tiers/transfers.hpp"

namespace kv {

struct BlockStored;

class ColdTier {
public:
    ColdTier(const CacheSpec& spec, PrefixIndex& index, Transfers& transfers, EventWriter& log)
        : spec_(spec), index_(index), transfers_(transfers), tiers_(transfers.tiers()), log_(log) {}

    // The content of a block that is about to be taken; lost when there is no place for it.
    void keep(BlockId block, PrefixId node);
    // Back into a block of the device that the request's table has already, at `entry`. The place
    // becomes free.
    void bring_back(SeqId id, PrefixId node, std::uint32_t place, BlockId block,
                    std::uint32_t entry);
    // Frees a place for somebody else, of the file before one of the host. False when nothing cold
    // is left.
    bool make_place();
    void clear(const Reason& reason);  // when the index has forgotten all of them

private:
    void sink_to_file(std::uint32_t place);
    void give_up(std::uint32_t place);
    BlockStored stored_in(PrefixId node, Medium medium, std::vector<std::uint32_t> blocks) const;

    const CacheSpec& spec_;
    PrefixIndex& index_;
    Transfers& transfers_;
    Tiers& tiers_;
    EventWriter& log_;
};

}  // namespace kv
