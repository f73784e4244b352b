#include "core/whatif/replay/orders.hpp"

#include <algorithm>

namespace kv {

const std::vector<ReplayOrder>& replay_orders() {
    static const std::vector<ReplayOrder> all{
        {"lru"},
        {"fifo", PrefixRule::Radix, RadixOrder::Fifo},
        {"lfu", PrefixRule::Radix, RadixOrder::Lfu},
        {"mru", PrefixRule::Radix, RadixOrder::Mru},
        {"filo", PrefixRule::Radix, RadixOrder::Filo},
        {"tree-lru", PrefixRule::Radix, {}},
    };
    return all;
}

std::optional<ReplayOrder> replay_order_named(std::string_view name) {
    const auto& all = replay_orders();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ReplayOrder& order) { return order.name == name; });
    if (found == all.end()) return std::nullopt;
    return *found;
}

}  // namespace kv
