#include "core/sim/allocator.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/sim/buddy_heap.hpp"
#include "core/sim/gap_map.hpp"

namespace kv {
namespace {

struct KindName {
    AllocatorKind kind;
    std::string_view name;
};
// In the order of AllocatorKind: name_of() counts on it.
constexpr std::array<KindName, 6> kKinds{{
    {AllocatorKind::Max, "max"},
    {AllocatorKind::Pow2, "pow2"},
    {AllocatorKind::Oracle, "oracle"},
    {AllocatorKind::FirstFit, "first_fit"},
    {AllocatorKind::Grow, "grow"},
    {AllocatorKind::Paged, "paged"},
}};

// max, pow2, oracle and first_fit: one region from the first to the last token, placed by `Heap`.
template <class Heap>
class Reserving : public Allocator {
public:
    Reserving(AllocatorKind kind, const PoolRules& rules, u64 largest)
        : kind_(kind), rules_(rules), largest_(largest), heap_(rules.slots) {}

    bool can_ever_hold(const Demand& demand) const override { return demand.total() <= largest_; }

    std::optional<Holding> admit(const Demand& demand, bool) override {
        const u64 slots = reservation(kind_, demand, rules_, largest_);
        const auto address = heap_.take(slots);
        if (!address) return std::nullopt;
        hold(slots);
        return Holding{slots, *address};
    }

    Wanted wanted(const Demand& demand) const override {
        const u64 slots = reservation(kind_, demand, rules_, largest_);
        return {slots, heap_.piece_for(slots), heap_.longest_piece()};
    }

    bool grow(Holding&) override { return false; }

    u64 give_back(const Holding& holding) override {
        heap_.give(holding.address, holding.slots);
        drop(holding.slots);
        return 1;
    }

private:
    AllocatorKind kind_;
    PoolRules rules_;
    u64 largest_;
    Heap heap_;
};

class GrowAndCopy : public Allocator {
public:
    explicit GrowAndCopy(const PoolRules& rules) : rules_(rules), gaps_(rules.slots) {}

    // A region of n slots grows by a copy into a new one of 2n, and both exist while it is copied.
    // In an empty pool first fit puts each copy behind the last, so the start, twice the start,
    // four times ... have to fit side by side.
    bool can_ever_hold(const Demand& demand) const override {
        u64 slots = start(demand), side_by_side = slots;
        while (slots < demand.total() && side_by_side <= rules_.slots) {
            slots *= 2;
            side_by_side += slots;
        }
        return side_by_side <= rules_.slots;
    }

    std::optional<Holding> admit(const Demand& demand, bool) override {
        const u64 slots = first_region(demand);
        const auto address = gaps_.take(slots);
        if (!address) return std::nullopt;
        hold(slots);
        return Holding{slots, *address};
    }

    Wanted wanted(const Demand& demand) const override {
        const u64 slots = first_region(demand);
        return {slots, gaps_.piece_for(slots), gaps_.longest_piece()};
    }

    bool grow(Holding& holding) override {
        const u64 slots = 2 * holding.slots;
        const auto address = gaps_.take(slots);
        if (!address) return false;
        hold(slots);
        count_copy(holding.slots);
        gaps_.give(holding.address, holding.slots);
        drop(holding.slots);
        holding.slots = slots;
        holding.address = *address;
        return true;
    }

    u64 give_back(const Holding& holding) override {
        gaps_.give(holding.address, holding.slots);
        drop(holding.slots);
        return 1;
    }

private:
    u64 start(const Demand& demand) const {
        return ceil_div(demand.prompt, rules_.block_size) * rules_.block_size;
    }
    // A request that returns takes the step of its own doubling that holds what it had, so that the
    // promise of can_ever_hold() stays true.
    u64 first_region(const Demand& demand) const {
        u64 slots = start(demand);
        while (slots < demand.stored()) slots *= 2;
        return slots;
    }

    PoolRules rules_;
    GapMap gaps_;
};

class Paged : public Allocator {
public:
    explicit Paged(const PoolRules& rules)
        : block_size_(rules.block_size),
          blocks_(rules.slots / rules.block_size),
          held_back_(rules.admission_control ? watermark_blocks(blocks_) : 0),
          free_(blocks_) {}

    bool can_ever_hold(const Demand& demand) const override {
        return ceil_div(demand.total(), block_size_) <= blocks_;
    }

    std::optional<Holding> admit(const Demand& demand, bool idle) override {
        const u64 needed = ceil_div(demand.stored(), block_size_);
        if (!admits(needed, free_, idle ? 0 : held_back_)) return std::nullopt;
        free_ -= needed;
        hold(needed * block_size_);
        return Holding{needed * block_size_};
    }

    Wanted wanted(const Demand& demand) const override {
        const u64 slots = ceil_div(demand.stored(), block_size_) * block_size_;
        return {slots, slots, free_ > held_back_ ? (free_ - held_back_) * block_size_ : 0};
    }

    bool grow(Holding& holding) override {
        if (free_ == 0) return false;
        --free_;
        hold(block_size_);
        holding.slots += block_size_;
        return true;
    }

    u64 give_back(const Holding& holding) override {
        const u64 blocks = holding.slots / block_size_;
        free_ += blocks;
        KV_ASSERT(free_ <= blocks_);
        drop(holding.slots);
        return blocks;
    }

private:
    u64 block_size_, blocks_, held_back_, free_;
};

}  // namespace

const std::vector<AllocatorKind>& all_allocators() {
    static const std::vector<AllocatorKind> kinds = [] {
        std::vector<AllocatorKind> list;
        list.reserve(kKinds.size());
        for (const KindName& one : kKinds) list.push_back(one.kind);
        return list;
    }();
    return kinds;
}

std::string_view name_of(AllocatorKind kind) {
    return kKinds[static_cast<std::size_t>(kind)].name;
}

std::optional<AllocatorKind> parse_allocator(std::string_view name) {
    for (const KindName& one : kKinds)
        if (one.name == name) return one.kind;
    return std::nullopt;
}

u64 watermark_blocks(u64 blocks) {
    return ceil_div(blocks, 100);
}

bool admits(u64 needed, u64 free, u64 held_back) {
    return free >= held_back && needed <= free - held_back;
}

u64 reservation(AllocatorKind kind, const Demand& demand, const PoolRules& rules, u64 largest) {
    const u64 maximum = std::min(rules.max_length, largest);
    u64 wanted = demand.total();
    if (kind == AllocatorKind::Max) wanted = maximum;
    if (kind == AllocatorKind::FirstFit && rules.first_fit_reserves_max) wanted = maximum;
    if (kind == AllocatorKind::Pow2)
        wanted = std::min(demand.prompt + power_of_two_from(demand.output), maximum);
    return std::max(wanted, demand.total());
}

std::unique_ptr<Allocator> make_allocator(AllocatorKind kind, const PoolRules& rules) {
    KV_ASSERT(rules.slots > 0 && rules.block_size > 0 && rules.max_length > 0);
    if (kind == AllocatorKind::Paged) return std::make_unique<Paged>(rules);
    if (kind == AllocatorKind::Grow) return std::make_unique<GrowAndCopy>(rules);
    if (kind == AllocatorKind::FirstFit)
        return std::make_unique<Reserving<GapMap>>(kind, rules, rules.slots);
    return std::make_unique<Reserving<BuddyHeap>>(kind, rules, BuddyHeap(rules.slots).largest());
}

}  // namespace kv
