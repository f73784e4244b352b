#include "core/cache/eviction/heavy_hitters.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {

void add_weights(std::span<float> scores, std::span<const float> step, double decay) {
    KV_ASSERT(scores.size() == step.size());
    const auto fade = static_cast<float>(decay);
    for (std::size_t j = 0; j < scores.size(); ++j) scores[j] = scores[j] * fade + step[j];
}

Selection keep_heavy(std::span<const float> scores, std::span<const std::uint32_t> positions,
                     const HeavyHitters& rule) {
    const auto n = static_cast<std::uint32_t>(scores.size());
    const std::uint32_t budget = rule.heavy + rule.recent;
    KV_ASSERT(positions.size() == n);
    if (n <= budget) return keep_all(n);
    // Protected whatever their scores: the newest `recent` tokens, and all within the grace. The
    // grace is counted in positions of the text, of which some were dropped long ago: of the kept
    // positions 3, 90, 97 and 99 a grace of 10 spares the last three. It never spares more than the
    // budget has room for.
    std::uint32_t young = 0;
    while (young < n && positions[n - 1] - positions[n - 1 - young] < rule.grace) ++young;
    const std::uint32_t spared = std::min(budget, std::max(rule.recent, young));
    return keep_highest(scores, {0, n - spared}, budget - spared);
}

}  // namespace kv
