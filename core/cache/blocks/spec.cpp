#include "core/cache/blocks/spec.hpp"

#include <algorithm>
#include <array>

#include "core/base/numbers/checked.hpp"
#include "core/base/planted.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 3> kSharing{"off", "full_blocks_only", "copy_on_write"};
constexpr std::array<std::string_view, 2> kFreeOrder{"tail_reverse", "unhashed_first"};

constexpr std::array<std::string_view, 2> kPrefixRule{"chain", "radix"};

template <class Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& words, std::string_view name) {
    const auto found = std::find(words.begin(), words.end(), name);
    if (found == words.end()) return std::nullopt;
    return static_cast<Enum>(found - words.begin());
}

}  // namespace

std::string_view name_of(Sharing sharing) {
    return kSharing[static_cast<std::size_t>(sharing)];
}
std::optional<Sharing> sharing_named(std::string_view name) {
    return named<Sharing>(kSharing, name);
}
std::string_view name_of(PrefixRule rule) {
    return kPrefixRule[static_cast<std::size_t>(rule)];
}
std::optional<PrefixRule> prefix_rule_named(std::string_view name) {
    return named<PrefixRule>(kPrefixRule, name);
}
std::string_view name_of(FreeOrder order) {
    return kFreeOrder[static_cast<std::size_t>(order)];
}
std::optional<FreeOrder> free_order_named(std::string_view name) {
    return named<FreeOrder>(kFreeOrder, name);
}

std::uint32_t CacheSpec::entries_for(std::uint32_t slots) const {
    if (planted(PlantedBug::OneBlockTooMany)) return slots / block_size + 1;
    return static_cast<std::uint32_t>(ceil_div(slots, block_size));
}

}  // namespace kv
