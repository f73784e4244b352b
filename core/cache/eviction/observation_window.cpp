#include "core/cache/eviction/observation_window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.hpp"

namespace kv {
namespace {

double round_half_even(double value) {
    const double low = std::floor(value), part = value - low;
    if (part != 0.5) return part < 0.5 ? low : low + 1;
    return std::fmod(low, 2) == 0 ? low : low + 1;
}

// How many of the layer's `n_best` highest scores each head has; of equals the earlier token's, and
// of one token the lower head's, come first.
std::vector<std::uint32_t> best_of_each(std::span<const std::vector<float>> heads,
                                        std::size_t n_best) {
    struct Scored {
        float score;
        std::size_t head;
    };
    std::vector<Scored> all;
    all.reserve(heads.size() * heads[0].size());
    for (std::size_t place = 0; place < heads[0].size(); ++place)
        for (std::size_t head = 0; head < heads.size(); ++head)
            all.push_back({heads[head][place], head});
    std::stable_sort(all.begin(), all.end(),
                     [](const Scored& a, const Scored& b) { return a.score > b.score; });
    std::vector<std::uint32_t> counts(heads.size());
    for (std::size_t i = 0; i < n_best; ++i) ++counts[all[i].head];
    return counts;
}

}  // namespace

std::vector<float> pool_scores(std::span<const float> scores, std::uint32_t kernel,
                               Pooling pooling) {
    KV_ASSERT(kernel % 2 == 1);
    const auto n = static_cast<std::ptrdiff_t>(scores.size()),
               half = static_cast<std::ptrdiff_t>(kernel / 2);
    std::vector<float> pooled(scores.size());
    for (std::ptrdiff_t at = 0; at < n; ++at) {
        float sum = 0, top = -std::numeric_limits<float>::infinity();
        const std::ptrdiff_t last = std::min(n - 1, at + half);
        for (std::ptrdiff_t j = std::max(std::ptrdiff_t{0}, at - half); j <= last; ++j) {
            sum += scores[static_cast<std::size_t>(j)];
            top = std::max(top, scores[static_cast<std::size_t>(j)]);
        }
        pooled[static_cast<std::size_t>(at)] =
            pooling == Pooling::Max ? top : sum / static_cast<float>(kernel);
    }
    return pooled;
}

std::vector<float> window_scores(std::span<const std::vector<float>> heads,
                                 const ObservationWindow& rule) {
    if (!rule.pool_first)
        return pool_scores(reduce_heads(heads, rule.reduce), rule.kernel, rule.pooling);
    std::vector<std::vector<float>> pooled;
    pooled.reserve(heads.size());
    for (const std::vector<float>& head : heads)
        pooled.push_back(pool_scores(head, rule.kernel, rule.pooling));
    return reduce_heads(pooled, rule.reduce);
}

// The window's own tokens are no candidates: their scores are never looked at, they only make the
// list as long as the table.
Selection keep_observed(std::span<const float> pooled, std::uint32_t n_keep, std::uint32_t window) {
    const auto before = static_cast<std::uint32_t>(pooled.size());
    std::vector<float> scores(pooled.begin(), pooled.end());
    scores.resize(before + window);
    return keep_highest(scores, {0, before}, n_keep);
}

std::vector<std::uint32_t> pyramid_budgets(std::uint32_t n, const ObservationWindow& rule,
                                           std::uint32_t beta, std::uint32_t n_layers) {
    if (n < rule.capacity) return {};
    const std::uint32_t average = rule.room();
    // The first layer of a steep pyramid keeps nearly twice the average, and here there are not so
    // many tokens: no pyramid.
    if (n < 2 * average) return std::vector<std::uint32_t>(n_layers, average);
    std::uint32_t least = average / beta, most = 2 * average - least;
    // No layer keeps more than there are before the window. The pyramid gets flatter, its average
    // stays.
    if (most >= n - rule.window) {
        most = n - rule.window;
        least = 2 * average - most;
    }
    const std::uint32_t step = n_layers > 1 ? (most - least) / (n_layers - 1) : 0;
    std::vector<std::uint32_t> budgets;
    budgets.reserve(n_layers);
    for (std::uint32_t layer = 0; layer < n_layers; ++layer) budgets.push_back(most - layer * step);
    return budgets;
}

std::vector<std::uint32_t> adaptive_budgets(std::span<const std::vector<float>> pooled,
                                            std::uint32_t room, double even_share) {
    KV_ASSERT(!pooled.empty());
    const std::size_t n = pooled[0].size();
    if (room > n) return {};
    // The room of all heads goes to the best scores, and `even_share` of that back to every head.
    std::vector<std::uint32_t> budgets = best_of_each(pooled, pooled.size() * room);
    const double even = std::floor(room * even_share);
    for (std::uint32_t& budget : budgets) {
        const double earned = budget * (1 - even_share);
        budget = std::min(static_cast<std::uint32_t>(n),
                          static_cast<std::uint32_t>(round_half_even(earned + even)));
    }
    return budgets;
}

}  // namespace kv
