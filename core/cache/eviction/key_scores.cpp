#include "core/cache/eviction/key_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/random.hpp"

namespace kv {
namespace {

float norm(const std::vector<float>& x) {
    float sum = 0;
    for (const float value : x) sum += value * value;
    return std::sqrt(sum);
}

// How far a token of the chunk spreads over its channels, once the next chunk has set the scale.
float spread(const std::vector<float>& x, const std::vector<float>& low,
             const std::vector<float>& high) {
    const std::size_t d = x.size();
    std::vector<float> scaled(d);
    for (std::size_t c = 0; c < d; ++c)
        scaled[c] = high[c] == low[c] ? 0 : (x[c] - low[c]) / (high[c] - low[c]);
    const float mean = std::accumulate(scaled.begin(), scaled.end(), 0.0f) / static_cast<float>(d);
    float sum = 0;
    for (const float value : scaled) sum += (value - mean) * (value - mean);
    return std::sqrt(sum / static_cast<float>(d - 1));
}

// Softmax over the chunk [first, first + lag) of how its tokens spread.
std::vector<float> chunk_shares(const Vectors& x, std::size_t first, std::size_t lag) {
    const std::size_t d = x[first].size();
    std::vector<float> low = x[first + lag], high = low;
    for (std::size_t j = first + lag; j < first + 2 * lag; ++j)
        for (std::size_t c = 0; c < d; ++c) {
            low[c] = std::min(low[c], x[j][c]);
            high[c] = std::max(high[c], x[j][c]);
        }
    std::vector<float> shares;
    for (std::size_t j = first; j < first + lag; ++j) shares.push_back(spread(x[j], low, high));
    const float top = *std::max_element(shares.begin(), shares.end());
    float sum = 0;
    for (float& share : shares) sum += share = math::exp(share - top);
    for (float& share : shares) share /= sum;
    return shares;
}

}  // namespace

std::uint32_t kept_of(std::uint32_t n, double ratio) {
    const auto kept = static_cast<std::uint32_t>(std::floor(n * (1 - ratio)));
    return std::max(std::min(n, 1u), kept);
}

std::vector<float> norms_of(const Vectors& vectors) {
    std::vector<float> norms;
    for (const auto& vector : vectors) norms.push_back(norm(vector));
    return norms;
}

std::vector<float> cosines_to_mean(const Vectors& keys) {
    std::vector<float> mean(keys.empty() ? 0 : keys[0].size());
    for (const auto& key : keys) {
        const float length = norm(key);
        for (std::size_t c = 0; c < mean.size() && length > 0; ++c) mean[c] += key[c] / length;
    }
    for (float& value : mean) value /= static_cast<float>(keys.size());
    const float length = norm(mean);
    std::vector<float> cosines;
    for (const auto& key : keys) {
        const float both = norm(key) * length;
        const float dot = std::inner_product(key.begin(), key.end(), mean.begin(), 0.0f);
        cosines.push_back(both > 0 ? dot / both : 0);
    }
    return cosines;
}

Selection keep_different(const Vectors& keys, std::uint32_t n_keep, std::uint32_t block) {
    const auto n = static_cast<std::uint32_t>(keys.size());
    if (n <= n_keep) return keep_all(n);
    if (block == 0) return keep_lowest(cosines_to_mean(keys), {0, n}, n_keep);
    Selection all;
    all.kept = keep_all(n_keep).kept;
    for (std::uint32_t at = n_keep; at < n; at += block) {
        for (std::uint32_t j = at; j < std::min(n, at + block); ++j) all.kept.push_back(j);
        Vectors judged;
        for (const std::uint32_t j : all.kept) judged.push_back(keys[j]);
        const auto m = static_cast<std::uint32_t>(judged.size());
        const Selection now = keep_lowest(cosines_to_mean(judged), {0, m}, n_keep);
        for (const Drop& drop : now.dropped)
            all.dropped.push_back({all.kept[drop.place], drop.score, drop.rank});
        std::vector<std::uint32_t> kept;
        for (const std::uint32_t place : now.kept) kept.push_back(all.kept[place]);
        all.kept = std::move(kept);
        all.threshold = now.threshold;
    }
    std::sort(all.dropped.begin(), all.dropped.end(),
              [](const Drop& a, const Drop& b) { return a.place < b.place; });
    return all;
}

std::uint64_t least_judged(const Lag& rule) {
    return rule.sinks + std::uint64_t{2} * rule.lag;
}

std::uint32_t never_judged(std::uint32_t n, const Lag& rule) {
    if (n < least_judged(rule)) return n;
    return rule.sinks + rule.lag + (n - rule.sinks) % rule.lag;
}

std::vector<float> lag_scores(const Vectors& keys, const Vectors& values, const Lag& rule) {
    KV_ASSERT(keys.size() == values.size());
    const std::size_t n = keys.size();
    std::vector<float> scores(n, 1.0f);
    const std::size_t judged = n - never_judged(static_cast<std::uint32_t>(n), rule);
    for (std::size_t first = rule.sinks; first < rule.sinks + judged; first += rule.lag) {
        const std::vector<float> k = chunk_shares(keys, first, rule.lag),
                                 v = chunk_shares(values, first, rule.lag);
        std::vector<std::size_t> order(rule.lag);
        std::iota(order.begin(), order.end(), std::size_t{0});
        // Of two equal scores the later one ranks lower, so that the earlier token is kept.
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const float x = (k[a] + v[a]) / 2, y = (k[b] + v[b]) / 2;
            return x != y ? x < y : a > b;
        });
        for (std::size_t rank = 0; rank < order.size(); ++rank)
            scores[first + order[rank]] = static_cast<float>(rank) / static_cast<float>(rule.lag);
    }
    return scores;
}

Selection keep_unlike_next(const Vectors& keys, const Vectors& values, const Lag& rule,
                           std::uint32_t n_keep) {
    const auto n = static_cast<std::uint32_t>(keys.size());
    const std::uint32_t spared = never_judged(n, rule), judged = n - spared;
    if (judged == 0) return keep_all(n);
    return keep_highest(lag_scores(keys, values, rule), {rule.sinks, rule.sinks + judged},
                        std::max(n_keep, spared) - spared);
}

std::vector<float> random_scores(std::span<const std::uint32_t> positions, const RandomKey& key) {
    // A stream of its own for each request, layer and KV head, apart from those that tokens are
    // drawn from, which are numbered by request alone.
    const std::uint64_t head = std::uint64_t{key.layer} << 40 | std::uint64_t{key.kv_head} << 32;
    const Random random(key.seed, (std::uint64_t{1} << 63 | head) ^ key.request);
    std::vector<float> scores;
    for (const std::uint32_t position : positions)
        scores.push_back(static_cast<float>(random.unit(position)));
    return scores;
}

}  // namespace kv
