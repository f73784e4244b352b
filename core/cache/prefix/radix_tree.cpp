#include "core/cache/prefix/radix_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"

namespace kv {

template <class Use>
void RadixTree::count_use(const Path& path, Use use_node) {
    ++s_.clock;
    for (const RadixNodeId id : path.nodes) {
        leave_line(id);
        s_.node(id).last_access = s_.clock;
        use_node(s_.node(id));
        enter_line(id);
    }
}

RadixTree::RadixTree(std::uint32_t block_size, const RadixRule& rule) {
    KV_ASSERT(block_size > 0);
    s_.block_size = block_size;
    s_.rule = rule;
    RadixNode root;
    root.lock_count = 1;
    s_.nodes.emplace_back(std::move(root));
}

RadixMatch RadixTree::match(std::string_view salt, std::span<const std::uint32_t> tokens) {
    Path path = find(salt, tokens);
    end_at_node(path);
    count_use(path, [](RadixNode& node) { ++node.hits; });
    return answer(path);
}

RadixMatch RadixTree::peek(std::string_view salt, std::span<const std::uint32_t> tokens) const {
    return answer(find(salt, tokens));
}

RadixInserted RadixTree::insert(std::string_view salt, std::span<const std::uint32_t> tokens,
                                std::span<const BlockId> blocks, std::int32_t priority,
                                std::uint64_t n_own) {
    KV_ASSERT(blocks.size() == tokens.size() / s_.block_size);
    Path path = find(salt, tokens);
    end_at_node(path);
    // A node that ends within the first n_own tokens has counted this request before (`depth` is
    // where it ends, in tokens from the start of the sequence).
    count_use(path, [&](RadixNode& node) {
        node.priority = std::max(node.priority, priority);
        node.inserts += node.depth > n_own ? 1 : 0;
    });
    const RadixNodeId last = path.nodes.empty() ? RadixState::root() : path.nodes.back();
    const std::size_t whole = blocks.size() * s_.block_size;
    if (path.n_tokens == whole) return {whole, last};
    leave_line(last);  // it is a leaf no longer
    RadixNode leaf = new_leaf(last, tokens.first(whole), blocks, path.n_tokens);
    if (last == RadixState::root()) leaf.salt = salt;
    leaf.priority = priority;
    leaf.inserts = whole > n_own ? 1 : 0;
    for (const RadixNodeId id : path.nodes)
        s_.node(id).reach = std::max<std::uint64_t>(s_.node(id).reach, whole);
    s_.evictable_tokens += leaf.tokens.size();
    ++s_.node(last).n_children;
    const RadixNodeId id = add(std::move(leaf));
    enter_index(id);
    enter_line(id);
    return {path.n_tokens, id};
}

RadixNode RadixTree::new_leaf(RadixNodeId parent, std::span<const std::uint32_t> tokens,
                              std::span<const BlockId> blocks, std::uint64_t n_present) const {
    const auto present = static_cast<std::size_t>(n_present);
    RadixNode leaf;
    leaf.tokens = FrontCut<std::uint32_t>(tokens.subspan(present));
    leaf.blocks = FrontCut<BlockId>(blocks.subspan(present / s_.block_size));
    leaf.parent = parent;
    leaf.created = leaf.last_access = s_.clock;
    leaf.depth = leaf.reach = tokens.size();
    return leaf;
}

void RadixTree::lock(RadixNodeId node) {
    for (RadixNodeId id = node; id != RadixState::root(); id = *s_.node(id).parent) {
        leave_line(id);
        RadixNode& n = s_.node(id);
        if (n.lock_count++ > 0) continue;
        s_.evictable_tokens -= n.tokens.size();
        s_.protected_tokens += n.tokens.size();
    }
}

void RadixTree::unlock(RadixNodeId node) {
    for (RadixNodeId id = node; id != RadixState::root(); id = *s_.node(id).parent) {
        RadixNode& n = s_.node(id);
        // A parent has at least its children's locks, so this can only fail at the first node,
        // before anything has changed.
        KV_ASSERT(n.lock_count > 0);
        if (--n.lock_count > 0) continue;
        s_.protected_tokens -= n.tokens.size();
        s_.evictable_tokens += n.tokens.size();
        enter_line(id);
    }
}

std::vector<BlockId> RadixTree::evict(std::uint64_t n_tokens) {
    std::vector<BlockId> freed;
    while (freed.size() * s_.block_size < n_tokens && !s_.line.empty())
        remove(s_.line.begin()->node, freed);
    return freed;
}

RadixTree::Path RadixTree::find(std::string_view salt,
                                std::span<const std::uint32_t> tokens) const {
    Path path;
    RadixNodeId at = RadixState::root();
    while (tokens.size() >= s_.block_size) {
        const auto child = s_.child(at, salt, tokens.first(s_.block_size));
        if (!child) break;
        at = *child;
        const auto key = s_.node(at).tokens.view();
        const auto differ = std::mismatch(key.begin(), key.end(), tokens.begin(), tokens.end());
        const auto same = static_cast<std::size_t>(differ.first - key.begin());
        const std::size_t whole = same - same % s_.block_size;
        path.nodes.push_back(at);
        path.n_tokens += whole;
        path.in_last = whole;
        if (whole < key.size()) break;
        tokens = tokens.subspan(whole);
    }
    return path;
}

RadixMatch RadixTree::answer(const Path& path) const {
    RadixMatch match{path.n_tokens, {}, RadixState::root()};
    if (path.nodes.empty()) return match;
    match.node = path.nodes.back();
    match.blocks.reserve(static_cast<std::size_t>(path.n_tokens / s_.block_size));
    for (const RadixNodeId id : path.nodes) {
        auto blocks = s_.node(id).blocks.view();
        if (id == match.node)
            blocks = blocks.first(static_cast<std::size_t>(path.in_last / s_.block_size));
        match.blocks.insert(match.blocks.end(), blocks.begin(), blocks.end());
    }
    return match;
}

void RadixTree::end_at_node(Path& path) {
    if (path.nodes.empty() || path.in_last == s_.node(path.nodes.back()).tokens.size()) return;
    const RadixNodeId rest = path.nodes.back();
    path.nodes.back() = split(rest, path.in_last);
    if (s_.rule.order == RadixOrder::LruStrict) return;
    leave_line(rest);
    s_.node(rest).last_access = ++s_.clock;
    enter_line(rest);
}

RadixNodeId RadixTree::add(RadixNode node) {
    if (s_.unused.empty()) {
        KV_ASSERT(s_.nodes.size() < std::numeric_limits<std::uint32_t>::max());
        s_.nodes.emplace_back(std::move(node));
        return RadixNodeId(static_cast<std::uint32_t>(s_.nodes.size() - 1));
    }
    const RadixNodeId id = s_.unused.back();
    s_.unused.pop_back();
    s_.nodes[id.index()] = std::move(node);
    return id;
}

// The new parent is locked, used and valued as the whole was: a lock held on the old node, which
// keeps the rest, goes on to protect every token that it protected.
RadixNodeId RadixTree::split(RadixNodeId node, std::uint64_t n_tokens) {
    const auto cut = static_cast<std::size_t>(n_tokens);
    leave_index(node);
    leave_line(node);
    RadixNode upper;
    {
        RadixNode& whole = s_.node(node);
        upper.tokens = FrontCut<std::uint32_t>(whole.tokens.view().first(cut));
        upper.blocks = FrontCut<BlockId>(whole.blocks.view().first(cut / s_.block_size));
        upper.parent = whole.parent;
        upper.salt = std::exchange(whole.salt, {});
        upper.n_children = 1;
        upper.lock_count = whole.lock_count;
        upper.priority = whole.priority;
        upper.created = whole.created;
        upper.last_access = whole.last_access;
        upper.hits = whole.hits;
        upper.inserts = whole.inserts;
        // It ends at the cut, and all that the whole has led to is below it still.
        upper.depth = whole.depth - whole.tokens.size() + cut;
        upper.reach = whole.reach;
        if (planted(PlantedBug::SplitForgetsLocks)) upper.lock_count = 0;
    }
    const RadixNodeId id = add(std::move(upper));
    RadixNode& rest = s_.node(node);
    rest.tokens.drop_front(cut);
    rest.blocks.drop_front(cut / s_.block_size);
    rest.parent = id;
    enter_index(id);
    enter_index(node);
    enter_line(node);
    return id;
}

void RadixTree::remove(RadixNodeId leaf, std::vector<BlockId>& freed) {
    leave_line(leaf);
    leave_index(leaf);
    const RadixNode& n = s_.node(leaf);
    const auto blocks = n.blocks.view();
    freed.insert(freed.end(), blocks.rbegin(), blocks.rend());
    s_.evictable_tokens -= n.tokens.size();
    const RadixNodeId parent = *n.parent;
    s_.nodes[leaf.index()].reset();
    s_.unused.push_back(leaf);
    --s_.node(parent).n_children;
    enter_line(parent);
}

void RadixTree::enter_index(RadixNodeId node) {
    const RadixNode& n = s_.node(node);
    s_.children.emplace(s_.child_hash(*n.parent, n.salt, s_.first_block(n)), node);
}

void RadixTree::leave_index(RadixNodeId node) {
    const RadixNode& n = s_.node(node);
    const auto [begin, end] =
        s_.children.equal_range(s_.child_hash(*n.parent, n.salt, s_.first_block(n)));
    const auto own = std::find_if(begin, end, [&](const auto& e) { return e.second == node; });
    KV_ASSERT(own != end);
    s_.children.erase(own);
}

bool RadixTree::may_be_evicted(RadixNodeId node) const {
    const RadixNode& n = s_.node(node);
    return n.n_children == 0 && n.lock_count == 0;
}

void RadixTree::enter_line(RadixNodeId node) {
    if (may_be_evicted(node)) s_.line.insert(s_.place_in_line(node));
}

void RadixTree::leave_line(RadixNodeId node) {
    if (may_be_evicted(node)) s_.line.erase(s_.place_in_line(node));
}

}  // namespace kv
