#pragma once
// The orders of a radix tree once more, as plainly as they can be said: nodes in a list, every
// search from end to end, no index, no line of leaves and no blocks with ids. The oracle of the
// replay by order.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/cache/prefix/radix_state.hpp"
#include "core/whatif/outcome.hpp"

namespace kv::test {

class NaiveTree {
public:
    NaiveTree(RadixOrder order, std::size_t pool) : order_(order), room_(pool + 1) {}

    void clear() { nodes_ = {Node{}}; }
    u64 reclaimed() const { return reclaimed_; }

    // How much of the chain is found; afterwards all of it is held.
    std::size_t ask(const std::vector<ChainId>& chain) {
        const auto [at, found] = match(chain);
        // One more for the block that is being filled.
        while (room_ - held() < chain.size() - found + 1) evict(at);
        if (found == chain.size()) return found;
        ++clock_;
        for (std::size_t i = at; i != 0; i = nodes_[i].parent) {
            nodes_[i].last = clock_;
            ++nodes_[i].inserts;
        }
        Node leaf;
        leaf.key.assign(chain.begin() + static_cast<std::ptrdiff_t>(found), chain.end());
        leaf.parent = at;
        leaf.created = leaf.last = clock_;
        leaf.inserts = 1;
        nodes_.push_back(leaf);
        return found;
    }

private:
    struct Node {
        std::vector<ChainId> key;
        std::size_t parent = 0;  // the first is the root
        u64 created = 0, last = 0, inserts = 0;
        bool gone = false;
    };

    // The node that ends where the chain does; one that goes on is split there.
    std::pair<std::size_t, std::size_t> match(const std::vector<ChainId>& chain) {
        std::size_t at = 0, found = 0;
        while (const auto next = child(at, chain, found)) {
            std::size_t same = 0;
            const std::vector<ChainId>& key = nodes_[*next].key;
            while (same < key.size() && found + same < chain.size() &&
                   key[same] == chain[found + same])
                ++same;
            found += same;
            at = same < key.size() ? split(*next, same) : *next;
            if (found == chain.size()) break;
        }
        ++clock_;
        for (std::size_t i = at; i != 0; i = nodes_[i].parent) nodes_[i].last = clock_;
        return {at, found};
    }
    std::optional<std::size_t> child(std::size_t of, const std::vector<ChainId>& chain,
                                     std::size_t from) const {
        for (std::size_t i = 1; i < nodes_.size() && from < chain.size(); ++i)
            if (!nodes_[i].gone && nodes_[i].parent == of && nodes_[i].key[0] == chain[from])
                return i;
        return std::nullopt;
    }
    std::size_t split(std::size_t rest, std::size_t n) {
        Node front = nodes_[rest];
        front.key.resize(n, ChainId(0));
        nodes_.push_back(front);
        Node& of = nodes_[rest];
        of.key.erase(of.key.begin(), of.key.begin() + static_cast<std::ptrdiff_t>(n));
        of.parent = nodes_.size() - 1;
        if (order_ != RadixOrder::LruStrict) of.last = ++clock_;
        return of.parent;
    }

    std::size_t held() const {
        std::size_t n = 0;
        for (const Node& node : nodes_) n += node.gone ? 0 : node.key.size();
        return n;
    }
    std::pair<u64, u64> comes_after(const Node& node) const {
        constexpr u64 kEnd = ~u64{0};
        switch (order_) {
            case RadixOrder::Lfu:
                return {node.inserts, node.last};
            case RadixOrder::Fifo:
                return {node.created, 0};
            case RadixOrder::Mru:
                return {kEnd - node.last, 0};
            case RadixOrder::Filo:
                return {kEnd - node.created, 0};
            case RadixOrder::Slru:
                return {node.inserts >= 2, node.last};
            default:
                return {node.last, 0};
        }
    }
    // The leaf whose turn it is, and never what the request itself has found.
    void evict(std::size_t found_at) {
        std::vector<bool> stays(nodes_.size(), false);
        for (const Node& node : nodes_)
            if (!node.gone) stays[node.parent] = true;
        for (std::size_t up = found_at; up != 0; up = nodes_[up].parent) stays[up] = true;
        std::optional<std::size_t> first;
        for (std::size_t i = 1; i < nodes_.size(); ++i)
            if (!nodes_[i].gone && !stays[i] &&
                (!first || comes_after(nodes_[i]) < comes_after(nodes_[*first])))
                first = i;
        KV_ASSERT(first);
        nodes_[*first].gone = true;
        reclaimed_ += nodes_[*first].key.size();
    }

    RadixOrder order_;
    std::size_t room_;
    std::vector<Node> nodes_ = {Node{}};
    u64 clock_ = 0, reclaimed_ = 0;
};

inline PoolOutcome naive_tree_pool(const Recording& recording, std::size_t pool, RadixOrder order) {
    PoolOutcome outcome;
    for (const AskStream& stream : recording.streams) {
        NaiveTree tree(order, pool);
        std::vector<ChainId> ever, path;
        for (const BlockAsk& ask : stream.asks) {
            if (ask.after_clear) tree.clear(), ever.clear();
            recording.chains.walk(ask.last, path);
            std::size_t known = 0;
            while (known < path.size() &&
                   std::find(ever.begin(), ever.end(), path[known]) != ever.end())
                ++known;
            ever.insert(ever.end(), path.begin(), path.end());
            path.resize(std::min(path.size(), pool), ask.last);
            const u64 size = recording.block_size;
            const u64 hit = std::min<u64>(tree.ask(path), ask.n_asked) * size;
            outcome.asked_tokens += ask.asked_tokens;
            outcome.hit_tokens += hit;
            outcome.again_tokens += std::min<u64>(known, ask.n_asked) * size - hit;
            outcome.requests.push_back({hit, 0});
        }
        outcome.blocks_reclaimed += tree.reclaimed();
    }
    return outcome;
}

}  // namespace kv::test
