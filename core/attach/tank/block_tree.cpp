#include "core/attach/tank/block_tree.hpp"

#include <algorithm>
#include <limits>

#include "core/base/fnv_hash.hpp"
#include "core/trace/server/hash.hpp"

namespace kv {
namespace {

constexpr std::size_t kFewestArrivals = 64;

std::uint64_t key_of(const ServerHash& hash) {
    if (hash.number) return low_bits(hash);
    FnvHash mixed;
    for (const char byte : hash.bytes) mixed.add(static_cast<unsigned char>(byte));
    return mixed.value();
}

// The same hash on two shelves is two blocks.
std::uint64_t place_of(ShelfRef shelf, std::uint64_t key) {
    return key ^ (shelf + std::uint64_t{1}) * 0x9E3779B97F4A7C15U;
}

}  // namespace

std::optional<BlockRef> BlockTree::find(ShelfRef shelf, const ServerHash& hash) const {
    const std::uint64_t key = key_of(hash);
    return index_.find(place_of(shelf, key), [&](BlockRef block) {
        const TankBlock& b = blocks_[block];
        return b.key == key && b.shelf == shelf && b.digest != hash.number &&
               (hash.number || digests_[block] == hash.bytes);
    });
}

std::optional<BlockRef> BlockTree::add(ShelfRef shelf, const ServerHash& hash, BlockRef parent) {
    if (free_.empty() && blocks_.size() >= most_) {
        // The parent may be a remembered one, and the oldest of all.
        if (oldest_ == kNoBlock || (oldest_ == parent && newest_ == parent)) return std::nullopt;
        forget(oldest_ == parent ? blocks_[oldest_].newer : oldest_);
        ++forgotten_;
    }
    if (free_.empty()) {
        free_.push_back(static_cast<BlockRef>(blocks_.size()));
        blocks_.emplace_back();
    }
    const BlockRef block = free_.back();
    free_.pop_back();
    TankBlock& b = blocks_[block] = {};
    b.key = key_of(hash);
    b.shelf = shelf;
    b.taken = true;
    b.digest = !hash.number;
    if (b.digest) {
        if (digests_.size() < blocks_.size()) digests_.resize(blocks_.size());
        digests_[block] = hash.bytes;
    }
    index_.add(place_of(shelf, b.key), block);
    arrive(block);
    link(block, parent);
    return block;
}

// When more than half of the places in arrivals_ are empty, the other blocks move up.
void BlockTree::arrive(BlockRef block) {
    const std::size_t there = blocks_.size() - free_.size();
    if (arrivals_.size() >= std::max(kFewestArrivals, 2 * there)) {
        std::uint32_t n = 0;
        for (const BlockRef at : arrivals_) {
            if (at == kNoBlock) continue;
            blocks_[at].arrival = n;
            arrivals_[n++] = at;
        }
        arrivals_.resize(n);
    }
    blocks_[block].arrival = static_cast<std::uint32_t>(arrivals_.size());
    arrivals_.push_back(block);
}

BlockRef& BlockTree::head_of(const TankBlock& block) {
    if (block.parent != kNoBlock) return blocks_[block.parent].first_child;
    if (roots_.size() <= block.shelf) roots_.resize(block.shelf + std::size_t{1}, kNoBlock);
    return roots_[block.shelf];
}

void BlockTree::link(BlockRef block, BlockRef parent) {
    TankBlock& b = blocks_[block];
    b.parent = parent;
    b.previous = kNoBlock;
    BlockRef& head = head_of(b);
    b.next = head;
    if (head != kNoBlock) blocks_[head].previous = block;
    head = block;
}

void BlockTree::unlink(BlockRef block) {
    const TankBlock& b = blocks_[block];
    if (b.previous != kNoBlock)
        blocks_[b.previous].next = b.next;
    else
        head_of(b) = b.next;
    if (b.next != kNoBlock) blocks_[b.next].previous = b.previous;
}

// The children of the block stay, and nobody knows their parent any more; what was counted beneath
// the block goes up.
void BlockTree::forget(BlockRef block) {
    leave_queue(block);
    TankBlock& b = blocks_[block];
    while (b.first_child != kNoBlock) {
        const BlockRef child = b.first_child;
        unlink(child);
        link(child, kNoBlock);
        blocks_[child].rootless = true;
    }
    if (b.parent != kNoBlock) blocks_[b.parent].hits += b.hits;
    unlink(block);
    index_.remove(place_of(b.shelf, b.key), block);
    arrivals_[b.arrival] = kNoBlock;
    if (b.digest) digests_[block] = {};
    if (block < tokens_.size()) tokens_[block] = {};
    b = {};
    free_.push_back(block);
}

void BlockTree::retire(BlockRef block) {
    TankBlock& b = blocks_[block];
    b.older = newest_;
    b.newer = kNoBlock;
    if (newest_ != kNoBlock) blocks_[newest_].newer = block;
    newest_ = block;
    if (oldest_ == kNoBlock) oldest_ = block;
    ++remembered_;
}

void BlockTree::leave_queue(BlockRef block) {
    const TankBlock& b = blocks_[block];
    (b.older == kNoBlock ? oldest_ : blocks_[b.older].newer) = b.newer;
    (b.newer == kNoBlock ? newest_ : blocks_[b.newer].older) = b.older;
    --remembered_;
}

void BlockTree::revive(BlockRef block) {
    leave_queue(block);
    blocks_[block].older = blocks_[block].newer = kNoBlock;
}

void BlockTree::clear(ShelfRef shelf) {
    for (BlockRef block = 0; block < blocks_.size(); ++block) {
        TankBlock& b = blocks_[block];
        if (!b.taken || b.shelf != shelf) continue;
        if (b.copies > 0) retire(block);
        b.copies = 0;
        forget(block);
    }
}

ServerHash BlockTree::hash(BlockRef block) const {
    const TankBlock& b = blocks_[block];
    return b.digest ? ServerHash{digests_[block], false} : server_hash(b.key);
}

void BlockTree::set_tokens(BlockRef block, const std::int64_t* first, std::size_t n) {
    if (!keep_tokens_) return;
    if (tokens_.size() < blocks_.size()) tokens_.resize(blocks_.size());
    std::vector<std::uint32_t>& out = tokens_[block];
    out.clear();
    for (std::size_t i = 0; i < n; ++i) {
        const bool is_id = first[i] >= 0 && first[i] <= std::numeric_limits<std::uint32_t>::max();
        out.push_back(is_id ? static_cast<std::uint32_t>(first[i]) : 0);
    }
}

const std::vector<std::uint32_t>& BlockTree::tokens(BlockRef block) const {
    static const std::vector<std::uint32_t> kNone;
    return block < tokens_.size() ? tokens_[block] : kNone;
}

BlockRef BlockTree::first_root(ShelfRef shelf) const {
    return shelf < roots_.size() ? roots_[shelf] : kNoBlock;
}

std::uint64_t BlockTree::memory_bytes() const {
    std::uint64_t bytes = blocks_.capacity() * sizeof(TankBlock) + index_.memory_bytes() +
                          (free_.capacity() + arrivals_.capacity()) * sizeof(BlockRef);
    for (const std::string& digest : digests_) bytes += sizeof(std::string) + digest.size();
    for (const auto& tokens : tokens_)
        bytes += sizeof(std::vector<std::uint32_t>) + tokens.capacity() * sizeof(std::uint32_t);
    return bytes;
}

}  // namespace kv
