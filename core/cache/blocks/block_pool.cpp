#include "core/cache/blocks/block_pool.hpp"

#include "core/base/error.hpp"

namespace kv {

BlockPool::BlockPool(std::uint32_t n_blocks, std::span<const std::uint32_t> first)
    : blocks_(n_blocks), head_(n_blocks), tail_(n_blocks) {
    std::vector<bool> given(n_blocks);
    for (const std::uint32_t b : first) {
        KV_ASSERT(b < n_blocks && !given[b]);
        given[b] = true;
        link(b, FreeEnd::Tail);
    }
    for (std::uint32_t b = 0; b < n_blocks; ++b)
        if (!given[b]) link(b, FreeEnd::Tail);
}

std::optional<BlockId> BlockPool::next_free() const {
    if (n_free_ == 0) return std::nullopt;
    return BlockId(head_);
}

void BlockPool::hold(BlockId b) {
    KV_ASSERT(b.value < size());
    if (is_free(b)) {
        KV_ASSERT(pins(b) == 0);
        unlink(b.value);
    }
    ++blocks_[b.index()].ref_count;
}

bool BlockPool::let_go(BlockId b, FreeEnd end) {
    KV_ASSERT(b.value < size() && ref_count(b) > 0);
    KV_ASSERT(ref_count(b) > 1 || pins(b) == 0);
    if (--blocks_[b.index()].ref_count > 0) return false;
    link(b.value, end);
    return true;
}

void BlockPool::move_to_head(BlockId b) {
    KV_ASSERT(b.value < size() && is_free(b));
    unlink(b.value);
    link(b.value, FreeEnd::Head);
}

void BlockPool::pin(BlockId b) {
    KV_ASSERT(b.value < size());
    ++blocks_[b.index()].pins;
}

void BlockPool::unpin(BlockId b) {
    KV_ASSERT(b.value < size() && pins(b) > 0);
    --blocks_[b.index()].pins;
}

void BlockPool::unlink(std::uint32_t b) {
    Block& block = blocks_[b];
    link_after(block.previous) = block.next;
    link_before(block.next) = block.previous;
    block.ticket = 0;
    --n_free_;
}

void BlockPool::link(std::uint32_t b, FreeEnd end) {
    Block& block = blocks_[b];
    const bool at_tail = end == FreeEnd::Tail;
    block.previous = at_tail ? tail_ : size();
    block.next = at_tail ? size() : head_;
    block.ticket = at_tail ? last_ticket_++ : --first_ticket_;
    link_after(block.previous) = b;
    link_before(block.next) = b;
    ++n_free_;
}

std::vector<BlockId> BlockPool::free_list() const {
    std::vector<BlockId> list;
    list.reserve(n_free_);
    for (std::uint32_t b = head_; b != size() && list.size() <= n_free_; b = blocks_[b].next)
        list.emplace_back(b);
    return list;
}

std::vector<BlockPool::Broken> BlockPool::check() const {
    std::vector<Broken> broken;
    std::vector<bool> seen(size());
    std::uint32_t forward = 0, previous = size();
    for (std::uint32_t b = head_; b != size(); previous = b, b = blocks_[b].next) {
        if (b > size() || seen[b]) {
            broken.push_back({{BlockId(previous)}, "the free list leads to a block twice"});
            return broken;
        }
        seen[b] = true;
        ++forward;
        if (!is_free(BlockId(b))) broken.push_back({{BlockId(b)}, "in the free list while held"});
        if (blocks_[b].previous != previous)
            broken.push_back({{BlockId(b)}, "the free list is different backwards"});
        if (previous != size() && blocks_[previous].ticket >= blocks_[b].ticket)
            broken.push_back({{BlockId(b)}, "its ticket does not rise along the free list"});
    }
    if (tail_ != previous) broken.push_back({{}, "the free list ends at another block"});
    if (forward != n_free_) broken.push_back({{}, "the free list is not as long as it is counted"});
    for (std::uint32_t b = 0; b < size(); ++b)
        if (is_free(BlockId(b)) && !seen[b])
            broken.push_back({{BlockId(b)}, "nobody holds it and it is not in the free list"});
    return broken;
}

}  // namespace kv
