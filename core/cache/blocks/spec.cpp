#include "core/cache/blocks/spec.hpp"

#include <array>

#include "core/base/names.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/planted.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 3> kSharing{"off", "full_blocks_only", "copy_on_write"};
constexpr std::array<std::string_view, 2> kFreeOrder{"tail_reverse", "unhashed_first"};
constexpr std::array<std::string_view, 2> kPrefixRule{"chain", "radix"};

}  // namespace

std::string_view name_of(Sharing sharing) {
    return name_in(kSharing, sharing);
}
std::optional<Sharing> sharing_named(std::string_view name) {
    return named_in<Sharing>(kSharing, name);
}
std::string_view name_of(PrefixRule rule) {
    return name_in(kPrefixRule, rule);
}
std::optional<PrefixRule> prefix_rule_named(std::string_view name) {
    return named_in<PrefixRule>(kPrefixRule, name);
}
std::string_view name_of(FreeOrder order) {
    return name_in(kFreeOrder, order);
}
std::optional<FreeOrder> free_order_named(std::string_view name) {
    return named_in<FreeOrder>(kFreeOrder, name);
}

std::uint32_t CacheSpec::entries_for(std::uint32_t slots) const {
    if (planted(PlantedBug::OneBlockTooMany)) return slots / block_size + 1;
    return static_cast<std::uint32_t>(ceil_div(slots, block_size));
}

}  // namespace kv
