#pragma once
// Who holds a physical block, and which one is handed out next. A block is in exactly one of three
// states: used (somebody holds it), or in the free list and there either plain free or cached,
// which means that it can still be found by what it holds. That is known to FindableBlocks alone:
// here both wait in one list. To allocate is next_free() and hold(), see Tables::take, which has
// the content of the block forgotten first; to free is let_go(), see Tables::give_back. While a
// transfer reads or writes a block it is pinned, and a pinned block never changes hands.
//
// The list is threaded through the blocks themselves, so leaving it from the middle costs nothing.
// A ticket is a block's place in the list as one number, rising from head to tail: a snapshot,
// which has no links, sorts the free blocks by it, and check() holds the links against it.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/ids.hpp"

namespace kv {

enum class FreeEnd : std::uint8_t { Tail, Head };

class BlockPool {
public:
    // `first` are handed out first, in this order; the others follow by id.
    BlockPool(std::uint32_t n_blocks, std::span<const std::uint32_t> first);

    std::uint32_t size() const { return static_cast<std::uint32_t>(blocks_.size()); }
    std::uint32_t n_free() const { return n_free_; }
    std::optional<BlockId> next_free() const;

    std::uint32_t ref_count(BlockId b) const { return blocks_[b.index()].ref_count; }
    std::uint32_t pins(BlockId b) const { return blocks_[b.index()].pins; }
    bool is_free(BlockId b) const { return ref_count(b) == 0; }
    std::int64_t ticket(BlockId b) const { return blocks_[b.index()].ticket; }
    std::int64_t first_ticket() const { return first_ticket_; }
    std::int64_t last_ticket() const { return last_ticket_; }

    void hold(BlockId b);  // one more holder; a free block leaves the list
    // One holder less. True when that was the last one and the block is in the list again.
    bool let_go(BlockId b, FreeEnd end);
    void move_to_head(BlockId b);  // a free block, to be the next one taken
    void pin(BlockId b);
    void unpin(BlockId b);

    std::vector<BlockId> free_list() const;  // from the head
    // Walks the list both ways: in words, what is wrong with it and with which blocks.
    struct Broken {
        std::vector<BlockId> blocks;
        const char* what;
    };
    std::vector<Broken> check() const;

private:
    // Links use the number of blocks as "none"; so do head and tail while the list is empty.
    struct Block {
        std::uint32_t ref_count = 0, pins = 0;
        std::uint32_t previous = 0, next = 0;
        std::int64_t ticket = 0;
    };
    // The link from `previous` to the block behind it, or head_ where there is no previous; and the
    // one from `next` back to the block before it, or tail_.
    std::uint32_t& link_after(std::uint32_t previous) {
        return previous == size() ? head_ : blocks_[previous].next;
    }
    std::uint32_t& link_before(std::uint32_t next) {
        return next == size() ? tail_ : blocks_[next].previous;
    }
    void unlink(std::uint32_t b);
    void link(std::uint32_t b, FreeEnd end);

    std::vector<Block> blocks_;
    std::uint32_t head_, tail_;
    std::uint32_t n_free_ = 0;
    std::int64_t first_ticket_ = 0, last_ticket_ = 0;

    friend class Tamper;  // of the tests: breaks a rule so that check() must say so
};

}  // namespace kv
