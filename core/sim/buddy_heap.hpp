#pragma once
// A buddy heap over a pool of any size: the pool is cut into arenas, powers of two from the largest
// down, and every block is a power of two at a multiple of itself. Because the arenas shrink, two
// buddies always lie in one arena. Allocation takes the smallest free block that is large enough,
// at the lowest address, and halves it as often as it can; freeing merges with the buddy while it
// is free.
//
// 15,728 slots are arenas of 8,192, 4,096, 2,048, 1,024, 256, 64, 32 and 16. A request of 300 takes
// a block of 512: the arena of 1,024 at 14,336 is halved, the lower half is given, the upper one at
// 14,848 stays free. What comes back at 14,336 finds its buddy at 14,336 xor 512 = 14,848.

#include <optional>
#include <set>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

u64 power_of_two_from(u64 n);  // the smallest power of two >= n, for 1 <= n <= 2^63

class BuddyHeap {
public:
    explicit BuddyHeap(u64 slots);

    std::optional<u64> take(u64 slots);  // the address of a block of power_of_two_from(slots)
    void give(u64 address, u64 slots);   // what take() gave for as many slots
    u64 free_slots() const { return free_slots_; }
    u64 largest() const { return largest_; }  // block of the empty heap
    u64 piece_for(u64 slots) const { return power_of_two_from(slots); }
    u64 longest_piece() const;  // the largest free block; 0 when nothing is free

private:
    std::vector<std::set<u64>> free_;  // [order]: addresses of the free blocks of 2^order slots
    u64 free_slots_, largest_;
};

}  // namespace kv
