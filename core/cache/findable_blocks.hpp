#pragma once
// Blocks that can be found by what they hold, even when nobody holds them any more: the index that
// finds them, the tree that orders them where the prefix rule is radix, and what is kept of them
// below the device. A cached block waits in the free list; when it is taken for something else it
// is forgotten first.

#include <cstdint>
#include <optional>

#include "core/cache/blocks/device_blocks.hpp"
#include "core/cache/prefix/index.hpp"
#include "core/cache/prefix/locked_tree.hpp"
#include "core/cache/tiers/cold_tier.hpp"

namespace kv {

class FindableBlocks {
public:
    FindableBlocks(const CacheSpec& spec, DeviceBlocks& device, Transfers& transfers,
                   EventWriter& log);

    PrefixIndex& index() { return index_; }
    const PrefixIndex& index() const { return index_; }
    ColdTier& cold() { return cold_; }
    std::optional<LockedTree>& tree() { return tree_; }  // none with the chain's rule
    const std::optional<LockedTree>& tree() const { return tree_; }

    bool is_findable(BlockId block) const { return index_.node_of(block).has_value(); }
    // Whether the block can be found once nobody holds it: with the tree, a block outside of it is
    // forgotten then. Where `unhashed_first` orders the free list, as it always does with the tree,
    // it goes to the tail of the list, behind all blocks that nobody can find.
    bool stays_findable(BlockId block) const;

    // The next block of the free list is about to be taken: what it holds is forgotten. Where it is
    // in the tree, the leaf that goes first is given up whole before, and its blocks are brought to
    // the head of the list.
    void give_up_next(LaneId lane, SeqId for_whom);
    // The block can no longer be found; its content is lost unless the host tier takes it.
    void forget(BlockId block, const Reason& reason, FreeEnd end = FreeEnd::Tail);
    // With the tree alone: the last holder of a block outside it gives it back. It is forgotten,
    // since the tree has its tokens in another block or not at all.
    void forget_duplicate(LaneId lane, BlockId block);
    void clear(const Reason& reason);

private:
    bool in_tree(BlockId block) const { return tree_ && tree_->has(block); }
    void evict_leaf(SeqId for_whom);

    const CacheSpec& spec_;
    DeviceBlocks& device_;
    EventWriter& log_;
    PrefixIndex index_;
    std::optional<LockedTree> tree_;
    ColdTier cold_;
};

}  // namespace kv
