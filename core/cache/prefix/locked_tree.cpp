#include "core/cache/prefix/locked_tree.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {

LockedTree::LockedTree(std::uint32_t block_size, std::uint32_t n_blocks, const RadixRule& rule)
    : tree_(block_size, rule), in_tree_(n_blocks) {}

void LockedTree::lock(SeqId id, const std::string& salt, std::span<const std::uint32_t> tokens) {
    const RadixMatch match = tree_.match(salt, tokens);
    const auto n = static_cast<std::uint32_t>(match.blocks.size());
    move_lock(id, {.node = match.node, .n_blocks = n});
}

// The new lock first: what both protect is never without one.
void LockedTree::move_lock(SeqId id, const Lock& to) {
    tree_.lock(to.node);
    unlock(id);
    locks_.insert({id.value, to});
}

void LockedTree::unlock(SeqId id) {
    const auto held = locks_.find(id.value);
    if (held == locks_.end()) return;
    tree_.unlock(held->second.node);
    locks_.erase(held);
}

std::uint32_t LockedTree::n_locked(SeqId id) const {
    const auto held = locks_.find(id.value);
    return held == locks_.end() ? 0 : held->second.n_blocks;
}

std::vector<BlockId> LockedTree::insert(SeqId id, const std::string& salt,
                                        std::span<const std::uint32_t> tokens,
                                        std::span<const BlockId> blocks, std::int32_t priority) {
    const auto held = locks_.find(id.value);
    const std::uint32_t told = held == locks_.end() ? 0 : held->second.n_inserted;
    const RadixInserted inserted =
        tree_.insert(salt, tokens, blocks, priority, std::uint64_t{told} * tree_.block_size());
    for (std::size_t k = inserted.n_present / tree_.block_size(); k < blocks.size(); ++k)
        in_tree_[blocks[k].index()] = true;
    const auto n = static_cast<std::uint32_t>(blocks.size());
    move_lock(id, {.node = inserted.node, .n_blocks = n, .n_inserted = std::max(told, n)});
    return tree_.peek(salt, tokens).blocks;
}

std::vector<BlockId> LockedTree::evict_leaf() {
    std::vector<BlockId> blocks = tree_.evict(tree_.block_size());
    KV_ASSERT(!blocks.empty());
    for (const BlockId block : blocks) in_tree_[block.index()] = false;
    return blocks;
}

void LockedTree::clear() {
    tree_ = RadixTree(tree_.block_size(), RadixRule(tree_.rule()));
    in_tree_.assign(in_tree_.size(), false);
    locks_.clear();
}

}  // namespace kv
