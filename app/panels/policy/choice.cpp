#include "app/panels/policy/choice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "app/panels/policy/words.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"

namespace kv {
namespace {

constexpr std::array kOffered{
    EvictionPolicy::None,    EvictionPolicy::Window, EvictionPolicy::Streaming,
    EvictionPolicy::H2o,     EvictionPolicy::SnapKv, EvictionPolicy::PyramidKv,
    EvictionPolicy::AdaKv,   EvictionPolicy::Tova,   EvictionPolicy::Knorm,
    EvictionPolicy::KeyDiff, EvictionPolicy::LagKv,  EvictionPolicy::Expected,
    EvictionPolicy::Random,  EvictionPolicy::Quest};
constexpr std::uint32_t kLeastBudget = 8, kMostUsual = 64;
constexpr double kUsualShare = 0.5;

EvictionSpec spec_of(std::string_view policy) {
    std::string why;
    return parse_eviction(policy, why).value_or(EvictionSpec{});
}

bool drops_a_share(EvictionPolicy policy) {
    EvictionSpec spec;
    spec.policy = policy;
    return needs_keys(spec);
}

std::uint32_t tokens_of(const EvictionSpec& spec, std::uint32_t usual = kMostUsual) {
    const bool observes = spec.policy == EvictionPolicy::SnapKv ||
                          spec.policy == EvictionPolicy::PyramidKv ||
                          spec.policy == EvictionPolicy::AdaKv;
    if (chooses_reads(spec)) return spec.budget;
    return budget_of(spec).value_or(observes ? spec.observed.capacity : usual);
}

// Budgets are 8 tokens at least: 4 sinks and 4 more, or a quarter that observes.
Text written(EvictionPolicy policy, std::uint32_t tokens, double share) {
    Text name(name_of(policy));
    const Text n = std::to_string(tokens);
    switch (policy) {
        case EvictionPolicy::None:
            return name;
        case EvictionPolicy::Streaming:
            return name + ":4+" + std::to_string(tokens - 4);
        case EvictionPolicy::H2o:
            return name + ":" + std::to_string(tokens / 2) + "+" +
                   std::to_string(tokens - tokens / 2);
        case EvictionPolicy::SnapKv:
        case EvictionPolicy::PyramidKv:
        case EvictionPolicy::AdaKv:
            return name + ":" + n + ",window=" + std::to_string(std::max(1u, tokens / 4));
        default:
            return name + ":" + (drops_a_share(policy) ? Text(round_trip(share)) : n);
    }
}

template <class Number>
List<Number> in_order(std::initializer_list<Number> numbers) {
    List<Number> once(numbers);
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    return once;
}

}  // namespace

std::uint32_t usual_budget(std::uint32_t tokens) {
    return std::clamp(std::bit_floor(tokens / 2), kLeastBudget, kMostUsual);
}

List<PolicyOption> policy_options(std::string_view now, const Texts& text, std::uint32_t usual) {
    const EvictionSpec spec = spec_of(now);
    const std::uint32_t tokens = std::max(kLeastBudget, tokens_of(spec, usual));
    const double share = drops_a_share(spec.policy) ? spec.ratio : kUsualShare;
    List<PolicyOption> options;
    for (const EvictionPolicy policy : kOffered) {
        const Text value = policy == spec.policy ? Text(now) : written(policy, tokens, share);
        options.push_back({value, policy_title(policy, text)});
    }
    return options;
}

List<PolicyOption> budget_options(std::string_view now) {
    const EvictionSpec spec = spec_of(now);
    List<PolicyOption> options;
    if (spec.policy == EvictionPolicy::None) return options;
    if (drops_a_share(spec.policy)) {
        for (const double share : in_order({0.25, 0.5, 0.75, spec.ratio}))
            options.push_back({share == spec.ratio ? Text(now) : written(spec.policy, 0, share),
                               round_trip(100 * share) + " %"});
        return options;
    }
    const std::uint32_t at_hand = tokens_of(spec);
    for (const std::uint32_t tokens : in_order({8u, 16u, 32u, 64u, at_hand}))
        options.push_back({tokens == at_hand ? Text(now) : written(spec.policy, tokens, 0),
                           std::to_string(tokens)});
    return options;
}

}  // namespace kv
