// The orders by their names, and the numbers that stand behind them.

#include <array>

#include "core/base/names.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/prefix/radix_state.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 9> kOrderNames{
    "lru-strict", "lfu", "fifo", "mru", "filo", "priority", "lru-sglang", "slru", "tlru"};
constexpr std::uint64_t kMostOfARule = 1u << 30;  // inserts or tokens

struct Number {
    std::string_view name;
    RadixOrder of;
    std::uint64_t RadixRule::*field;
};
constexpr std::array<Number, 3> kNumbers{{
    {"protected_threshold", RadixOrder::Slru, &RadixRule::protected_threshold},
    {"threshold", RadixOrder::Tlru, &RadixRule::threshold},
    {"next_prompt_estimate", RadixOrder::Tlru, &RadixRule::next_prompt_estimate},
}};

std::optional<RadixOrder> order_named(std::string_view name) {
    if (name == "lru") return RadixOrder::LruStrict;
    return named_in<RadixOrder>(kOrderNames, name);
}

bool read_number_of(RadixRule& rule, std::string_view option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos) return false;
    for (const Number& number : kNumbers) {
        if (number.of != rule.order || number.name != option.substr(0, equals)) continue;
        std::string why;
        const auto value = parse_whole(option.substr(equals + 1), 0, kMostOfARule, why);
        if (value) rule.*number.field = *value;
        return value.has_value();
    }
    return false;
}

}  // namespace

std::string name_of(const RadixRule& rule) {
    std::string name(name_in(kOrderNames, rule.order));
    char before = ':';
    for (const Number& number : kNumbers) {
        if (number.of != rule.order || rule.*number.field == RadixRule().*number.field) continue;
        name += before + std::string(number.name) + '=' + std::to_string(rule.*number.field);
        before = ',';
    }
    return name;
}

std::optional<RadixRule> radix_rule_named(std::string_view name) {
    const std::size_t colon = name.find(':');
    const auto order = order_named(name.substr(0, colon));
    if (!order) return std::nullopt;
    RadixRule rule(*order);
    if (colon == std::string_view::npos) return rule;
    for (std::string_view rest = name.substr(colon + 1);;) {
        const std::size_t comma = rest.find(',');
        if (!read_number_of(rule, rest.substr(0, comma))) return std::nullopt;
        if (comma == std::string_view::npos) return rule;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace kv
