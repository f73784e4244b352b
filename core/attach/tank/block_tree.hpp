#pragma once
// The blocks of a tank as a tree of prefixes: those that are cached now, and those removed last,
// which are remembered so that it is seen when they are stored again. Plain values in one array, so
// that a tank can be copied; bounded, the oldest remembered ones go first.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attach/tank/block_index.hpp"
#include "core/trace/server/batch.hpp"

namespace kv {

inline constexpr BlockRef kNoBlock = ~BlockRef{0};

using ShelfRef = std::uint16_t;

struct TankBlock {
    // What a picture reads of each block stands together.
    BlockRef parent = kNoBlock;
    std::uint32_t copies = 0;  // times stored less times removed; 0: only remembered
    double used_s = 0;
    std::uint32_t hits = 0;    // events that stored beneath it, or it again
    std::uint32_t again = 0;   // times that it was stored after a removal
    std::uint32_t tokens = 0;  // in it
    ShelfRef shelf = 0;
    bool taken = false, digest = false;
    bool rootless = false;  // what came before it is not known, or forgotten since

    std::uint32_t depth = 0;    // tokens from the start to its end
    std::uint32_t arrival = 0;  // where it stands among BlockTree::arrivals()
    BlockRef first_child = kNoBlock;
    std::uint64_t key = 0;  // its hash, or of a digest what stands for it
    double stored_s = 0;
    double walked_s = 0;  // all before it have been used at this moment or later
    BlockRef next = kNoBlock, previous = kNoBlock;
    BlockRef newer = kNoBlock, older = kNoBlock;  // among those that were removed

    bool cached() const { return copies > 0; }
};

class BlockTree {
public:
    explicit BlockTree(std::uint32_t most_blocks, bool keep_tokens)
        : most_(most_blocks), keep_tokens_(keep_tokens) {}

    std::optional<BlockRef> find(ShelfRef shelf, const ServerHash& hash) const;
    // Adds a block, which has no copies yet; nothing when the tree is full of cached blocks.
    std::optional<BlockRef> add(ShelfRef shelf, const ServerHash& hash, BlockRef parent);
    void retire(BlockRef block);  // it was removed: remembered for as long as there is room
    void revive(BlockRef block);  // and stored again
    void clear(ShelfRef shelf);

    TankBlock& at(BlockRef block) { return blocks_[block]; }
    const TankBlock& at(BlockRef block) const { return blocks_[block]; }
    ServerHash hash(BlockRef block) const;
    void set_tokens(BlockRef block, const std::int64_t* first, std::size_t n);
    const std::vector<std::uint32_t>& tokens(BlockRef block) const;

    BlockRef first_root(ShelfRef shelf) const;
    // All that are there, cached or remembered, in no order that means anything.
    template <class Visit>
    void each(const Visit& visit) const {
        for (BlockRef block = 0; block < blocks_.size(); ++block)
            if (blocks_[block].taken) visit(block, blocks_[block]);
    }
    // The same in the order in which they came, so that each stands behind its parent; kNoBlock
    // where one went.
    const std::vector<BlockRef>& arrivals() const { return arrivals_; }
    std::size_t places() const { return blocks_.size(); }  // every BlockRef is below it
    std::size_t remembered() const { return remembered_; }
    std::uint64_t forgotten() const { return forgotten_; }  // remembered ones that had to go
    std::uint64_t memory_bytes() const;

private:
    void link(BlockRef block, BlockRef parent);
    void unlink(BlockRef block);
    void forget(BlockRef block);
    void leave_queue(BlockRef block);
    void arrive(BlockRef block);
    BlockRef& head_of(const TankBlock& block);

    std::uint32_t most_;
    bool keep_tokens_;
    std::vector<TankBlock> blocks_;
    std::vector<BlockRef> free_, roots_, arrivals_;
    std::vector<std::string> digests_;                // of blocks that have no number; may be empty
    std::vector<std::vector<std::uint32_t>> tokens_;  // where they are kept
    BlockIndex index_;
    BlockRef oldest_ = kNoBlock, newest_ = kNoBlock;  // removed
    std::size_t remembered_ = 0;
    std::uint64_t forgotten_ = 0;
};

}  // namespace kv
