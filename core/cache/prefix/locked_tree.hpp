#pragma once
// The radix tree as a cache uses it: which blocks of the pool are in it, and which part of it each
// request locks while it runs. What is found is the index's business in both prefix rules; the tree
// holds the same blocks once each, only when they have been computed, and says which cached block
// is given up next.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/cache/prefix/radix_tree.hpp"

namespace kv {

class LockedTree {
public:
    LockedTree(std::uint32_t block_size, std::uint32_t n_blocks, const RadixRule& rule);

    bool has(BlockId block) const { return in_tree_[block.index()]; }
    const RadixTree& tree() const { return tree_; }

    // Protects, while the request runs, as much of these full blocks' tokens as the tree knows.
    void lock(SeqId id, const std::string& salt, std::span<const std::uint32_t> tokens);
    void unlock(SeqId id);
    std::uint32_t n_locked(SeqId id) const;  // blocks

    // Puts these full blocks into the tree and locks them. The answer is the blocks that the tree
    // holds for the same tokens: where they are others, the caller's are duplicates.
    std::vector<BlockId> insert(SeqId id, const std::string& salt,
                                std::span<const std::uint32_t> tokens,
                                std::span<const BlockId> blocks, std::int32_t priority);

    // Gives up the leaf that goes first, whole: the answer is its blocks, the last one first.
    // FindableBlocks brings them to the head of the free list.
    std::vector<BlockId> evict_leaf();
    void clear();

private:
    struct Lock {
        RadixNodeId node;
        std::uint32_t n_blocks;
        std::uint32_t n_inserted = 0;  // blocks that the request itself has told of
    };
    void move_lock(SeqId id, const Lock& to);

    RadixTree tree_;
    std::vector<bool> in_tree_;            // by block
    std::map<std::uint32_t, Lock> locks_;  // by SeqId: the end of its part of the tree
};

}  // namespace kv
