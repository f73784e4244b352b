#pragma once
// The prefixes that the cache holds, as a radix tree: a node is a run of tokens in whole blocks and
// the blocks that store them, and sequences that begin alike share the nodes of their beginning.
// Bookkeeping alone: the tree owns no block, it says which ones hold a prefix and which may be
// given back. Time is a counter of matches and inserts, and, in every order but LruStrict, of the
// splits of nodes in which they end. After SGLang's RadixAttention (Zheng et al., arXiv
// 2312.07104).
//
// Every call is linear in the key or in what it frees, whatever the size of the tree, but for the
// logarithm of the number of leaves that may be evicted.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache/prefix/radix_state.hpp"

namespace kv {

struct RadixMatch {
    std::uint64_t n_tokens = 0;   // in whole blocks
    std::vector<BlockId> blocks;  // that hold them
    RadixNodeId node;             // holds the last of them; the root when there are none
};

struct RadixInserted {
    std::uint64_t n_present = 0;  // tokens from the start that the tree had already
    RadixNodeId node;             // ends with the key
};

class RadixTree {
public:
    RadixTree(std::uint32_t block_size, const RadixRule& rule);

    std::uint32_t block_size() const { return s_.block_size; }
    const RadixRule& rule() const { return s_.rule; }

    // The longest prefix of `tokens` that is held under this salt. A node in which it ends is split
    // there, so that `node` ends with it and can be locked. Everything on the path counts as used.
    RadixMatch match(std::string_view salt, std::span<const std::uint32_t> tokens);
    // The same tokens and blocks without a trace of the question: `node` may go on behind them.
    RadixMatch peek(std::string_view salt, std::span<const std::uint32_t> tokens) const;

    // Keeps `tokens`, cut to whole blocks, with one block for each. For the first `n_present` the
    // tree keeps its own blocks: where the caller's are others, they are duplicates to be freed.
    // Counts as a use but not as a hit. The whole path has at least this priority from here on. Of
    // the first `n_own` tokens the same request has told before: it is counted once in each node.
    RadixInserted insert(std::string_view salt, std::span<const std::uint32_t> tokens,
                         std::span<const BlockId> blocks, std::int32_t priority,
                         std::uint64_t n_own = 0);

    // A lock protects the node and all above it; the root is always locked. Locks add up.
    void lock(RadixNodeId node);
    void unlock(RadixNodeId node);

    // Gives up whole unlocked leaves in order until at least `n_tokens` are free or none is left.
    // A leaf's last block comes first, as if every block were a leaf of its own.
    std::vector<BlockId> evict(std::uint64_t n_tokens);

    std::uint64_t evictable_tokens() const { return s_.evictable_tokens; }
    std::uint64_t protected_tokens() const { return s_.protected_tokens; }
    std::uint64_t total_tokens() const { return s_.evictable_tokens + s_.protected_tokens; }

    std::vector<RadixNodeView> nodes() const { return describe(s_); }
    std::vector<std::string> check() const { return broken_rules(s_); }
    const RadixState& state() const { return s_; }

private:
    struct Path {
        std::vector<RadixNodeId> nodes;  // below the root
        std::uint64_t n_tokens = 0;      // that match
        std::uint64_t in_last = 0;       // of them in the last node
    };
    Path find(std::string_view salt, std::span<const std::uint32_t> tokens) const;
    RadixMatch answer(const Path& path) const;
    // Splits the last node of the path where the path ends inside it. The rest counts as used now,
    // just before the front does by count_use(); with LruStrict it stays as old as it was.
    void end_at_node(Path& path);
    // Everything on the path counts as used now, and takes a new place in the line.
    template <class Use>
    void count_use(const Path& path, Use use_node);

    // The tokens and blocks behind the first n_present tokens as a leaf below `parent`, used now.
    RadixNode new_leaf(RadixNodeId parent, std::span<const std::uint32_t> tokens,
                       std::span<const BlockId> blocks, std::uint64_t n_present) const;
    // May move all nodes: no reference to one is held across it.
    RadixNodeId add(RadixNode node);
    // An edge of the paper is a node here, with its parent above. The first n_tokens go to a new
    // node, which the answer names; the rest keeps its id, its children, and the locks held on it:
    //
    //   parent --- [a b c d] node            parent --- [a b] new --- [c d] node
    RadixNodeId split(RadixNodeId node, std::uint64_t n_tokens);
    void remove(RadixNodeId leaf, std::vector<BlockId>& freed);
    // The index finds a child by its first block, so a node that is split has its key there anew.
    void enter_index(RadixNodeId node);
    void leave_index(RadixNodeId node);
    // An unlocked leaf, which may be evicted. When its last leaf goes, a parent becomes one.
    bool may_be_evicted(RadixNodeId node) const;
    void enter_line(RadixNodeId node);
    void leave_line(RadixNodeId node);

    RadixState s_;
};

}  // namespace kv
