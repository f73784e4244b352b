#pragma once
// The tree of a tank as chains: blocks that follow each other without a branch, each chain a bar of
// the drawing and a prefix of the tables. The largest subtree stands first among its siblings, so
// that the first child lies below its parent.
//
// A cache may hold a million blocks, and a walk along their tree waits for memory at each of them.
// So nothing is walked: all blocks are passed in the order in which they came, first the children,
// to count what is cached beneath each; then the parents, to put each block into its chain.

#include <cstdint>
#include <vector>

#include "core/attach/tank/tank.hpp"

namespace kv {

using ChainRef = std::uint32_t;
inline constexpr ChainRef kNoChain = ~ChainRef{0};

struct TreeChain {
    BlockRef first = kNoBlock, last = kNoBlock;
    ChainRef parent = kNoChain;
    std::uint64_t width_top = 0, width_bottom = 0;  // cached blocks from its first, its last one on
    std::uint64_t cached = 0;                       // of its own
    std::uint64_t left = 0;                         // cached blocks that are drawn left of it
    std::uint64_t before = 0;                       // cached ones in the order of the tree
    std::uint64_t from_token = 0, to_token = 0;     // depth
    std::uint64_t again = 0;                        // blocks of it that were stored again
    std::uint64_t hits = 0;                         // of its last block and all after it
    double used_s = 0;                              // the newest use of it and all after it
};

struct CachedBlock {
    double used_s = 0;
    BlockRef block = kNoBlock;
    ChainRef chain = kNoChain;
    std::uint32_t place = 0;  // among the cached ones of its chain
};

// What lies at a block and after it.
struct Beneath {
    std::uint32_t cached = 0;
    std::uint32_t branches = 0;  // children with a cached block at or after them

    bool ends_chain() const { return branches != 1; }
};

// The chains of some shelves. Only what has a cached block at or after it is in a chain.
struct TreeChains {
    std::vector<TreeChain> chains;    // parents before children
    std::vector<CachedBlock> cached;  // in the order in which they came
    std::vector<Beneath> beneath;     // by BlockRef
};

TreeChains chains_of(const BlockTree& tree, const std::vector<ShelfRef>& shelves);

// At most `most` chains, the widest first; of the same width the one that stands left.
std::vector<ChainRef> widest_of(const TreeChains& tree, std::size_t most);

}  // namespace kv
