#include "core/cache/eviction/quest.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/error.hpp"
#include "core/cache/eviction/selection.hpp"

namespace kv {

// Eight sums beside each other and then their total: one order for all who ask, and one that
// vectors can keep.
float bound_of_box(std::span<const float> q, const KeyBox& box) {
    KV_ASSERT(box.least.size() == q.size() && box.most.size() == q.size());
    constexpr std::size_t kAbreast = 8;
    const auto larger = [&](std::size_t c) {
        const float a = q[c] * box.least[c], b = q[c] * box.most[c];
        return a > b ? a : b;
    };
    std::array<float, kAbreast> sums{};
    std::size_t c = 0;
    for (; c + kAbreast <= q.size(); c += kAbreast)
        for (std::size_t i = 0; i < kAbreast; ++i) sums[i] += larger(c + i);
    for (std::size_t i = 0; c < q.size(); ++c, ++i) sums[i] += larger(c);
    return std::accumulate(sums.begin(), sums.end(), 0.0f);
}

void widen_box(std::span<float> least, std::span<float> most, std::span<const float> key) {
    for (std::size_t c = 0; c < key.size(); ++c) {
        least[c] = std::min(least[c], key[c]);
        most[c] = std::max(most[c], key[c]);
    }
}

std::vector<std::uint32_t> choose_blocks(std::span<const float> bounds, const BlockChoice& choice) {
    const auto n = static_cast<std::uint32_t>(bounds.size());
    if (n <= choice.n_blocks) return keep_all(n).kept;
    const std::uint32_t newest = std::min(choice.n_newest, choice.n_blocks);
    return keep_highest(bounds, {0, n - newest}, choice.n_blocks - newest).kept;
}

}  // namespace kv
