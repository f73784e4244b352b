// Every rule of the radix tree's books, counted again from the nodes.

#include <algorithm>

#include "core/cache/prefix/radix_state.hpp"

namespace kv {
namespace {

std::string text(std::uint64_t number) {
    return std::to_string(number);
}
std::string text(RadixNodeId id) {
    return "node " + std::to_string(id.value);
}

// Every rule from the nodes themselves; the index, the line and the counters are compared with
// what the nodes say and never used to find out.
class Rules {
public:
    explicit Rules(const RadixState& state) : s_(state) {}

    std::vector<std::string> broken() {
        if (s_.nodes.empty() || !s_.nodes[0]) return {"I17: the root is missing."};
        for (std::uint32_t i = 0; i < s_.nodes.size(); ++i)
            if (s_.nodes[i]) ids_.push_back(RadixNodeId(i));
        root();
        parents();
        if (!broken_.empty()) return broken_;  // the others follow parents
        for (const RadixNodeId id : ids_) {
            key_and_value(id);
            beside_parent(id);
        }
        siblings();
        index();
        line();
        counters();
        blocks_once();
        unused();
        return broken_;
    }

private:
    void say(std::string sentence) { broken_.push_back(std::move(sentence)); }

    void root() {
        const RadixNode& n = s_.node(RadixState::root());
        if (n.parent || n.tokens.size() > 0 || n.blocks.size() > 0 || !n.salt.empty())
            say("I17: the root has a parent, a key, a value or a salt.");
        if (n.lock_count != 1) say("I19: the root has lock " + text(n.lock_count) + ", not 1.");
    }

    void parents() {
        std::vector<std::uint32_t> counted(s_.nodes.size());
        for (const RadixNodeId id : ids_) {
            if (id == RadixState::root()) continue;
            const auto parent = s_.node(id).parent;
            if (!parent || parent->index() >= s_.nodes.size() || !s_.nodes[parent->index()])
                say("I17: " + text(id) + " has no parent in the tree.");
            else
                ++counted[parent->index()];
        }
        for (const RadixNodeId id : ids_)
            if (s_.node(id).n_children != counted[id.index()])
                say("I17: " + text(id) + " counts " + text(s_.node(id).n_children) +
                    " children, but " + text(counted[id.index()]) + " name it as their parent.");
        // Nodes that name each other in a ring are found by what the root does not reach.
        if (broken_.empty() && describe(s_).size() != ids_.size())
            say("I17: of " + text(ids_.size()) + " nodes the root reaches " +
                text(describe(s_).size()) + ".");
    }

    void key_and_value(RadixNodeId id) {
        if (id == RadixState::root()) return;
        const RadixNode& n = s_.node(id);
        if (n.tokens.size() == 0) say("I17: " + text(id) + " has an empty key.");
        if (n.tokens.size() != n.blocks.size() * s_.block_size)
            say("I17: " + text(id) + " has " + text(n.tokens.size()) + " tokens and " +
                text(n.blocks.size()) + " blocks of " + text(s_.block_size) + ".");
        const std::uint64_t above = s_.node(*n.parent).depth;
        if (n.depth != above + n.tokens.size() || n.reach < n.depth)
            say("I17: " + text(id) + " ends at token " + text(n.depth) + " of " + text(n.reach) +
                ", its parent at " + text(above) + ".");
        if (!n.salt.empty() && n.parent != RadixState::root())
            say("I17: " + text(id) + " has a salt, but it is no child of the root.");
    }

    void beside_parent(RadixNodeId id) {
        const RadixNode& n = s_.node(id);
        if (!n.parent || n.parent == RadixState::root()) return;
        const RadixNode& parent = s_.node(*n.parent);
        if (parent.lock_count < n.lock_count)
            say("I19: " + text(id) + " has lock " + text(n.lock_count) + ", its parent " +
                text(*n.parent) + " only " + text(parent.lock_count) + ".");
        // Whatever passes through a child has passed through its parent.
        if (parent.last_access < n.last_access || parent.hits < n.hits ||
            parent.priority < n.priority || parent.created > n.created || parent.reach < n.reach)
            say("I17: " + text(id) + " is older, more used or of higher priority than its parent " +
                text(*n.parent) + ".");
    }

    // By salt, then by the first block: no two siblings are equal in both.
    bool has_smaller_beginning(RadixNodeId a, RadixNodeId b) const {
        const RadixNode &x = s_.node(a), &y = s_.node(b);
        if (x.salt != y.salt) return x.salt < y.salt;
        const auto p = s_.first_block(x), q = s_.first_block(y);
        return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
    }

    void siblings() {
        std::vector<RadixNodeId> sorted(ids_.begin() + 1, ids_.end());
        const auto less = [this](RadixNodeId x, RadixNodeId y) {
            const RadixNodeId p = *s_.node(x).parent, q = *s_.node(y).parent;
            return p == q ? has_smaller_beginning(x, y) : p < q;
        };
        std::sort(sorted.begin(), sorted.end(), less);
        for (std::size_t i = 1; i < sorted.size(); ++i)
            if (!less(sorted[i - 1], sorted[i]))
                say("I17: " + text(sorted[i - 1]) + " and " + text(sorted[i]) +
                    " are siblings with the same first block.");
    }

    void index() {
        if (s_.children.size() != ids_.size() - 1)
            say("I17: the index holds " + text(s_.children.size()) + " children of " +
                text(ids_.size() - 1) + ".");
        for (const auto& [hash, id] : s_.children)
            if (id.index() >= s_.nodes.size() || !s_.nodes[id.index()])
                return say("I17: the index names nodes that are not in the tree.");
        for (const RadixNodeId id : ids_) {
            const RadixNode& n = s_.node(id);
            if (n.parent && s_.child(*n.parent, n.salt, s_.first_block(n)) != id)
                say("I17: the index does not find " + text(id) + ".");
        }
    }

    void line() {
        std::size_t leaves = 0;
        for (const RadixNodeId id : ids_) {
            const RadixNode& n = s_.node(id);
            if (id == RadixState::root() || n.n_children > 0 || n.lock_count > 0) continue;
            ++leaves;
            if (s_.line.count(s_.place_in_line(id)) == 0)
                say("I19: the unlocked leaf " + text(id) + " does not stand in its place in line.");
        }
        if (s_.line.size() != leaves)
            say("I19: " + text(s_.line.size()) + " stand in line, but " + text(leaves) +
                " leaves are unlocked.");
    }

    void counters() {
        std::uint64_t evictable = 0, held = 0;
        for (const RadixNodeId id : ids_) {
            const RadixNode& n = s_.node(id);
            (n.lock_count > 0 ? held : evictable) += n.tokens.size();
        }
        if (s_.evictable_tokens != evictable || s_.protected_tokens != held)
            say("I19: " + text(s_.evictable_tokens) + " evictable and " +
                text(s_.protected_tokens) + " protected tokens are counted, but the nodes hold " +
                text(evictable) + " and " + text(held) + ".");
    }

    void blocks_once() {
        std::vector<BlockId> all;
        for (const RadixNodeId id : ids_) {
            const auto blocks = s_.node(id).blocks.view();
            all.insert(all.end(), blocks.begin(), blocks.end());
        }
        std::sort(all.begin(), all.end());
        for (std::size_t i = 1; i < all.size(); ++i)
            if (all[i - 1] == all[i])
                say("I19: block " + text(all[i].value) +
                    " stands in the tree twice and would be freed twice.");
    }

    void unused() {
        std::vector<RadixNodeId> free = s_.unused;
        std::sort(free.begin(), free.end());
        const bool twice = std::adjacent_find(free.begin(), free.end()) != free.end();
        const bool in_use = std::any_of(free.begin(), free.end(), [this](RadixNodeId id) {
            return id.index() >= s_.nodes.size() || s_.nodes[id.index()];
        });
        if (twice || in_use || free.size() + ids_.size() != s_.nodes.size())
            say("I17: the list of unused ids is not the ids without a node.");
    }

    const RadixState& s_;
    std::vector<RadixNodeId> ids_;  // of the nodes, the root first
    std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> broken_rules(const RadixState& state) {
    return Rules(state).broken();
}

}  // namespace kv
