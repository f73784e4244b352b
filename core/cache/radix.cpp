// The tree of prefixes beside the index: which requests lock which part of it, and which cached
// block is given up when one is needed. What is found is the index's business in both rules; the
// tree holds the same blocks once each, and only when they have been computed.

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cache/cache.hpp"
#include "core/cache/tell.hpp"

namespace kv {

bool Cache::in_tree(BlockId block) const {
    return tree_ && block_in_tree_[block.index()];
}

// The full blocks that it has stored are in the tree from here on. Where the tree has the same
// content already, its table takes that block, and its own, a duplicate, goes back.
void Cache::grow_tree(SeqId id, std::int32_t priority) {
    Sequence& s = of(id);
    const std::uint32_t full = s.stored / spec_.block_size;
    if (!tree_ || !s.chain || full == s.in_tree) return;
    std::vector<BlockId> blocks;
    for (std::uint32_t entry = 0; entry < full; ++entry) {
        if (!s.tables[0][entry]) return;  // a hole: nothing behind it can be found
        blocks.push_back(*s.tables[0][entry]);
    }
    const std::size_t n_tokens = std::size_t{full} * spec_.block_size;
    const RadixInserted inserted =
        tree_->insert(s.salt, std::span(s.tokens).first(n_tokens), blocks, priority);
    const auto present = static_cast<std::uint32_t>(inserted.n_present / spec_.block_size);
    for (std::uint32_t k = present; k < full; ++k) block_in_tree_[blocks[k].index()] = true;
    lock(s, inserted.node, full);
    const RadixMatch held = tree_->peek(s.salt, std::span(s.tokens).first(n_tokens));
    for (std::uint32_t k = 0; k < present; ++k)
        if (held.blocks[k] != blocks[k]) replace_duplicate(id, k, held.blocks[k]);
}

void Cache::replace_duplicate(SeqId id, std::uint32_t entry, BlockId with) {
    drop_entry(id, LaneId(0), entry, {Why::Duplicate}, FreeEnd::Head);
    pools_[0].hold(with);
    enter(id, LaneId(0), entry, with);
    tell(id, Reason::same_prefix(id, (entry + 1) * std::uint64_t{spec_.block_size}),
         BlockShared{LaneId(0), with, entry});
}

// As much of its first tokens as the tree knows is protected while it runs.
void Cache::lock_tree(SeqId id, std::uint32_t n_tokens) {
    Sequence& s = of(id);
    if (!tree_) return;
    const std::size_t full = n_tokens - n_tokens % spec_.block_size;
    const RadixMatch match = tree_->match(s.salt, std::span(s.tokens).first(full));
    lock(s, match.node, static_cast<std::uint32_t>(match.n_tokens / spec_.block_size));
}

void Cache::lock(Sequence& s, RadixNodeId node, std::uint32_t blocks) {
    tree_->lock(node);
    if (s.locked) tree_->unlock(*s.locked);
    s.locked = node;
    s.in_tree = blocks;
}

void Cache::unlock_tree(SeqId id) {
    Sequence& s = of(id);
    if (s.locked) tree_->unlock(*s.locked);
    s.locked.reset();
    s.in_tree = 0;
}

// Cached blocks lie behind all that nobody can find; when one of them is next, the tree gives up a
// leaf, and its blocks move to the head of the free list.
void Cache::evict_leaf(SeqId for_whom) {
    const std::vector<BlockId> blocks = tree_->evict(spec_.block_size);
    KV_ASSERT(!blocks.empty());
    for (const BlockId block : blocks) {
        block_in_tree_[block.index()] = false;
        forget(LaneId(0), block, {Why::ReclaimedFor, for_whom}, FreeEnd::Head);
        pools_[0].move_to_head(block);
    }
}

void Cache::clear_tree() {
    if (!tree_) return;
    tree_.emplace(spec_.block_size, spec_.radix_order);
    block_in_tree_.assign(spec_.n_blocks, false);
    for (auto& [id, s] : sequences_) {
        s.locked.reset();
        s.in_tree = 0;
    }
}

}  // namespace kv
