#include "core/sim/buddy_heap.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::size_t kOrders = 64;  // of blocks of 2^0 to 2^63 slots

// The order of the smallest block that has so many slots.
std::size_t order_of(u64 slots) {
    std::size_t order = 0;
    while ((u64{1} << order) < slots) ++order;
    return order;
}

}  // namespace

u64 power_of_two_from(u64 n) {
    KV_ASSERT(n >= 1 && n <= u64{1} << 63);
    return u64{1} << order_of(n);
}

BuddyHeap::BuddyHeap(u64 slots) : free_(kOrders), free_slots_(slots), largest_(0) {
    u64 address = 0;
    for (std::size_t order = kOrders; order-- > 0;) {
        const u64 size = u64{1} << order;
        if ((slots & size) == 0) continue;
        free_[order].insert(address);
        address += size;
        if (largest_ == 0) largest_ = size;
    }
}

std::optional<u64> BuddyHeap::take(u64 slots) {
    if (slots == 0 || slots > largest_) return std::nullopt;
    const std::size_t wanted = order_of(slots);
    std::size_t order = wanted;
    while (order < free_.size() && free_[order].empty()) ++order;
    if (order == free_.size()) return std::nullopt;
    const u64 address = *free_[order].begin();
    free_[order].erase(free_[order].begin());
    while (order > wanted) {
        --order;
        free_[order].insert(address + (u64{1} << order));  // the upper half stays free
    }
    free_slots_ -= u64{1} << wanted;
    return address;
}

u64 BuddyHeap::longest_piece() const {
    for (std::size_t order = free_.size(); order-- > 0;)
        if (!free_[order].empty()) return u64{1} << order;
    return 0;
}

void BuddyHeap::give(u64 address, u64 slots) {
    std::size_t order = order_of(slots);
    free_slots_ += u64{1} << order;
    for (;; ++order) {
        const u64 buddy = address ^ (u64{1} << order);
        if (free_[order].erase(buddy) == 0) break;
        address = std::min(address, buddy);
    }
    const bool fresh = free_[order].insert(address).second;
    KV_ASSERT(fresh);
}

}  // namespace kv
