#pragma once
// Which cached block goes first when room is needed, by the names that a person asks for.

#include <optional>
#include <string_view>
#include <vector>

#include "core/cache/blocks/spec.hpp"

namespace kv {

struct ReplayOrder {
    std::string_view name;  // "lru"
    PrefixRule rule = PrefixRule::Chain;
    RadixOrder tree = {};  // where the rule is the tree's

    // The one pass knows this one.
    bool is_plain_lru() const { return rule == PrefixRule::Chain; }
    friend bool operator==(const ReplayOrder&, const ReplayOrder&) = default;
};

// "lru" is the free list of vLLM; the others are orders of SGLang's tree, "tree-lru" among them.
const std::vector<ReplayOrder>& replay_orders();
std::optional<ReplayOrder> replay_order_named(std::string_view name);

}  // namespace kv
