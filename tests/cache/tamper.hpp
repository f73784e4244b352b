#pragma once
// The one class that may look into the books, and break them on purpose: core/cache names it a
// friend.

#include <cstdint>

#include "core/cache/cache.hpp"

namespace kv {

class Tamper {
public:
    static const BlockPool& pool(const Cache& cache, std::uint32_t lane = 0) {
        return cache.device_.pool(LaneId(lane));
    }
    static const PrefixIndex& index(const Cache& cache) { return cache.findable_.index(); }
    static std::uint32_t filled(const Cache& cache, BlockId b, std::uint32_t lane = 0) {
        return cache.device_.filled(LaneId(lane), b);
    }

    explicit Tamper(Cache& cache) : cache_(cache) {}
    BlockPool& pool() { return cache_.device_.pool(LaneId(0)); }
    PrefixIndex& index() { return cache_.findable_.index(); }
    Tiers& tiers() { return cache_.transfers_.tiers(); }
    CacheSpec& spec() { return cache_.spec_; }
    std::uint32_t& filled(BlockId b) { return cache_.device_.filled(LaneId(0), b); }
    std::uint32_t& ref_count(BlockId b) { return pool().blocks_[b.index()].ref_count; }
    std::uint32_t& pins(BlockId b) { return pool().blocks_[b.index()].pins; }
    std::uint32_t& next(BlockId b) { return pool().blocks_[b.index()].next; }
    std::uint32_t& previous(BlockId b) { return pool().blocks_[b.index()].previous; }
    std::int64_t& ticket(BlockId b) { return pool().blocks_[b.index()].ticket; }
    std::uint32_t& n_free() { return pool().n_free_; }
    std::uint32_t& tail() { return pool().tail_; }
    // Of the content that a block is found by.
    auto& node(BlockId b) { return index().nodes_[index().node_of(b)->index()]; }
    std::uint32_t& first_copy(BlockId b) { return node(b).first_copy; }
    std::uint32_t& last_copy(BlockId b) { return node(b).last_copy; }
    std::uint32_t& children(BlockId b) { return node(b).children; }
    std::uint64_t& hash(BlockId b) { return node(b).hash; }

    auto& table(SeqId id) { return cache_.tables_.of(id).tables[0]; }
    auto& tokens(SeqId id) { return cache_.tables_.of(id).tokens; }
    auto& stored(SeqId id) { return cache_.tables_.of(id).stored; }
    SlotMap& slots(SeqId id) { return cache_.tables_.of(id).slots[0]; }
    auto& published(SeqId id) { return cache_.tables_.of(id).chain.n_blocks; }
    auto& chain(SeqId id) { return cache_.tables_.of(id).chain.end; }
    auto& places(SeqId id) { return cache_.swap_.swapped_[id.value].places; }
    bool& loading(SeqId id) { return cache_.swap_.swapped_[id.value].loading; }

private:
    Cache& cache_;
};

}  // namespace kv
