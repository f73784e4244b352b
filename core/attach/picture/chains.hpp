#pragma once
// The tree as chains: blocks that follow each other without a branch, each chain a bar of the
// drawing and a prefix of the tables. The widest ones, as many as are asked for.

#include <cstdint>
#include <vector>

#include "core/attach/picture/order.hpp"

namespace kv {

struct TreeChain {
    BlockRef first = kNoBlock, last = kNoBlock;
    std::uint64_t left = 0;                      // cached blocks that are drawn left of it
    std::uint64_t from_token = 0, to_token = 0;  // depth
    std::uint64_t again = 0;                     // blocks of it that were stored again
};

struct TreeChains {
    std::vector<TreeChain> chains;  // parents before children
    std::uint64_t left_out = 0;     // cached blocks of the chains that are not there
};

TreeChains chains_of(const BlockTree& tree, const TreeOrder& order, std::size_t most);

}  // namespace kv
