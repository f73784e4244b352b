#pragma once
// First fit: the free gaps of a pool by address, and the lowest one that holds n slots in O(log n).
// A treap over addresses in which every node knows the largest gap below it; two gaps never touch.

#include <optional>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

class GapMap {
public:
    explicit GapMap(u64 slots);

    std::optional<u64> take(u64 slots);  // from the start of the lowest gap that is large enough
    void give(u64 address, u64 slots);   // merges with the gaps on both sides
    u64 free_slots() const { return free_slots_; }
    u64 largest_gap() const { return nodes_[root_].largest; }
    u64 piece_for(u64 slots) const { return slots; }
    u64 longest_piece() const { return largest_gap(); }
    std::size_t gaps() const { return nodes_.size() - 1 - spare_.size(); }

private:
    using Index = std::uint32_t;  // 0 is the empty tree: a node of no slots

    struct Node {
        u64 address = 0, size = 0, largest = 0;
        std::uint32_t priority = 0;
        Index left = 0, right = 0;
    };
    struct Halves {
        Index below, from;
    };

    Index make(u64 address, u64 size);
    void update(Index at);
    Index join(Index below, Index from);
    Halves split(Index at, u64 address);  // gaps that start below it, and the others
    std::optional<u64> take_below(Index& at, u64 slots);
    Node pop_last(Index& tree);
    Node pop_first(Index& tree);

    std::vector<Node> nodes_;
    std::vector<Index> spare_;
    Index root_ = 0;
    u64 free_slots_ = 0, made_ = 0;
};

}  // namespace kv
