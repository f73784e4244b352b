#include "core/sim/gap_map.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

namespace kv {

GapMap::GapMap(u64 slots) : nodes_(1) {
    if (slots > 0) give(0, slots);
}

GapMap::Index GapMap::make(u64 address, u64 size) {
    // Any sequence will do, as long as it does not follow the addresses.
    const std::uint32_t priority = Random(0, 0).bits(made_++);
    const Node node{.address = address, .size = size, .largest = size, .priority = priority};
    if (spare_.empty()) {
        nodes_.push_back(node);
        return static_cast<Index>(nodes_.size() - 1);
    }
    const Index at = spare_.back();
    spare_.pop_back();
    nodes_[at] = node;
    return at;
}

void GapMap::update(Index at) {
    Node& node = nodes_[at];
    node.largest = std::max({node.size, nodes_[node.left].largest, nodes_[node.right].largest});
}

GapMap::Index GapMap::join(Index below, Index from) {
    if (below == 0 || from == 0) return below + from;
    if (nodes_[below].priority > nodes_[from].priority) {
        nodes_[below].right = join(nodes_[below].right, from);
        update(below);
        return below;
    }
    nodes_[from].left = join(below, nodes_[from].left);
    update(from);
    return from;
}

GapMap::Halves GapMap::split(Index at, u64 address) {
    if (at == 0) return {0, 0};
    Halves halves{at, at};
    if (nodes_[at].address < address) {
        const Halves rest = split(nodes_[at].right, address);
        nodes_[at].right = rest.below;
        halves.from = rest.from;
    } else {
        const Halves rest = split(nodes_[at].left, address);
        nodes_[at].left = rest.from;
        halves.below = rest.below;
    }
    update(at);
    return halves;
}

// The caller has seen that a gap of so many slots lies in this tree.
std::optional<u64> GapMap::take_below(Index& at, u64 slots) {
    Node& node = nodes_[at];
    std::optional<u64> address;
    if (nodes_[node.left].largest >= slots) {
        address = take_below(node.left, slots);
    } else if (node.size >= slots) {
        address = node.address;
        node.address += slots;
        node.size -= slots;
    } else {
        address = take_below(node.right, slots);
    }
    update(at);
    if (node.size == 0) {
        spare_.push_back(at);
        at = join(node.left, node.right);
    }
    return address;
}

std::optional<u64> GapMap::take(u64 slots) {
    if (slots == 0 || slots > largest_gap()) return std::nullopt;
    free_slots_ -= slots;
    return take_below(root_, slots);
}

GapMap::Node GapMap::pop_last(Index& tree) {
    Index last = tree;
    while (nodes_[last].right != 0) last = nodes_[last].right;
    const Node gap = nodes_[last];
    tree = split(tree, gap.address).below;
    spare_.push_back(last);
    return gap;
}

GapMap::Node GapMap::pop_first(Index& tree) {
    Index first = tree;
    while (nodes_[first].left != 0) first = nodes_[first].left;
    const Node gap = nodes_[first];
    tree = split(tree, gap.address + 1).from;
    spare_.push_back(first);
    return gap;
}

void GapMap::give(u64 address, u64 slots) {
    KV_ASSERT(slots > 0);
    free_slots_ += slots;
    auto [below, from] = split(root_, address);
    u64 start = address, end = address + slots;
    if (below != 0) {
        const Node before = pop_last(below);
        KV_ASSERT(before.address + before.size <= start);
        const bool touches = before.address + before.size == start;
        if (touches)
            start = before.address;
        else
            below = join(below, make(before.address, before.size));
    }
    if (from != 0) {
        const Node after = pop_first(from);
        KV_ASSERT(after.address >= end);
        const bool touches = after.address == end;
        if (touches)
            end = after.address + after.size;
        else
            from = join(make(after.address, after.size), from);
    }
    root_ = join(join(below, make(start, end - start)), from);
}

}  // namespace kv
