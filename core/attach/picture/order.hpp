#pragma once
// The tree of a tank in the order in which it is drawn: the largest subtree first, so that the
// first child lies below its parent. One pass over all blocks, for as many drawings as one likes.

#include <cstdint>
#include <vector>

#include "core/attach/tank/tank.hpp"

namespace kv {

struct TreeOrder {
    std::vector<BlockRef> roots;     // of the shelves asked for, the largest first
    std::vector<BlockRef> preorder;  // parents before children; only what has a cached block
    // By BlockRef; what is not in `preorder` has nothing beneath.
    std::vector<std::uint32_t> beneath;  // cached blocks of it and all after it
    std::vector<std::uint64_t> hits;     // of it and all after it
    std::vector<double> used_s;          // the newest use of it and all after it

    // Of a block, the largest first. In place of what was in `out`.
    void children(const BlockTree& tree, BlockRef block, std::vector<BlockRef>& out) const;
};

TreeOrder tree_order_of(const BlockTree& tree, const std::vector<ShelfRef>& shelves);

}  // namespace kv
