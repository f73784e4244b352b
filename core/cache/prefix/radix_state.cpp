#include "core/cache/prefix/radix_state.hpp"

#include <algorithm>

namespace kv {
namespace {

// One round of a multiplicative hash. It need not resist an attack: every hit is compared.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

bool in_drawing_order(const RadixState& state, RadixNodeId a, RadixNodeId b) {
    const RadixNode &x = state.node(a), &y = state.node(b);
    if (x.salt != y.salt) return x.salt < y.salt;
    const auto p = state.first_block(x), q = state.first_block(y);
    return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
}

}  // namespace

RadixPlaceInLine RadixState::place_in_line(RadixNodeId id) const {
    const RadixNode& n = node(id);
    const auto signed_of = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    switch (rule.order) {
        case RadixOrder::LruStrict:
        case RadixOrder::LruSglang:
            return {signed_of(n.last_access), 0, id};
        case RadixOrder::Lfu:
            return {signed_of(n.inserts), n.last_access, id};
        case RadixOrder::Fifo:
            return {signed_of(n.created), 0, id};
        case RadixOrder::Mru:
            return {-signed_of(n.last_access), 0, id};
        case RadixOrder::Filo:
            return {-signed_of(n.created), 0, id};
        case RadixOrder::Priority:
            return {n.priority, n.last_access, id};
        case RadixOrder::Slru:
            return {n.inserts >= rule.protected_threshold ? 1 : 0, n.last_access, id};
        case RadixOrder::Tlru:
            return {is_spare(n) ? 0 : 1, n.last_access, id};
    }
    KV_ASSERT(false);
}

// The next prompt is expected to be as long as the longest text through this node, and the estimate
// more. Its last `threshold` tokens may be computed anew in time, so only what lies before them has
// to be here, and a node that begins behind that is spare.
bool RadixState::is_spare(const RadixNode& n) const {
    const std::uint64_t next_prompt = n.reach + rule.next_prompt_estimate;
    const std::uint64_t needed = next_prompt - std::min(next_prompt, rule.threshold);
    return n.depth - n.tokens.size() >= needed;
}

std::uint64_t RadixState::child_hash(RadixNodeId parent, std::string_view salt,
                                     std::span<const std::uint32_t> first_block) const {
    std::uint64_t hash = mixed(0, parent.value);
    if (parent == root()) {
        for (const char c : salt) hash = mixed(hash, static_cast<unsigned char>(c));
        hash = mixed(hash, salt.size());
    }
    for (const std::uint32_t token : first_block) hash = mixed(hash, token);
    return hash;
}

std::optional<RadixNodeId> RadixState::child(RadixNodeId parent, std::string_view salt,
                                             std::span<const std::uint32_t> first_block) const {
    const auto [begin, end] = children.equal_range(child_hash(parent, salt, first_block));
    // At most one of the range fits, as siblings differ in their first block: the order in which
    // the table holds them cannot show.
    for (auto it = begin; it != end; ++it) {
        const RadixNode& n = node(it->second);
        if (n.parent != parent || (parent == root() && n.salt != salt)) continue;
        const auto own = this->first_block(n);
        if (std::equal(own.begin(), own.end(), first_block.begin(), first_block.end()))
            return it->second;
    }
    return std::nullopt;
}

std::vector<RadixNodeView> describe(const RadixState& state) {
    std::vector<std::vector<RadixNodeId>> children(state.nodes.size());
    for (std::uint32_t i = 0; i < state.nodes.size(); ++i)
        if (state.nodes[i] && state.nodes[i]->parent)
            children[state.nodes[i]->parent->index()].push_back(RadixNodeId(i));

    std::vector<RadixNodeView> views;
    struct Next {
        RadixNodeId id;
        std::uint64_t first;
        const std::string* salt;
    };
    std::vector<Next> open{{RadixState::root(), 0, &state.node(RadixState::root()).salt}};
    while (!open.empty()) {
        const Next next = open.back();
        open.pop_back();
        const RadixNode& n = state.node(next.id);
        const auto tokens = n.tokens.view();
        const auto blocks = n.blocks.view();
        views.push_back({.id = next.id,
                         .parent = n.parent,
                         .salt = *next.salt,
                         .first = next.first,
                         .tokens = {tokens.begin(), tokens.end()},
                         .blocks = {blocks.begin(), blocks.end()},
                         .lock_count = n.lock_count,
                         .priority = n.priority,
                         .created = n.created,
                         .last_access = n.last_access,
                         .hits = n.hits,
                         .inserts = n.inserts});

        auto& below = children[next.id.index()];
        // Last first, because the end of `open` is taken next.
        std::sort(below.begin(), below.end(),
                  [&](RadixNodeId a, RadixNodeId b) { return in_drawing_order(state, b, a); });
        for (const RadixNodeId id : below)
            open.push_back({id, next.first + tokens.size(),
                            next.id == RadixState::root() ? &state.node(id).salt : next.salt});
    }
    return views;
}

}  // namespace kv
