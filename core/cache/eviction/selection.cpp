#include "core/cache/eviction/selection.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"

namespace kv {
namespace {

// Candidates in order of merit. `better(a, b)`: score a is kept before score b.
template <class Better>
Selection keep_best(std::span<const float> scores, Candidates candidates, std::uint32_t n_keep,
                    Better better) {
    const auto n = static_cast<std::uint32_t>(scores.size());
    KV_ASSERT(candidates.begin <= candidates.end && candidates.end <= n);
    std::vector<std::uint32_t> order(candidates.end - candidates.begin);
    std::iota(order.begin(), order.end(), candidates.begin);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return better(scores[a], scores[b]);
    });
    n_keep = std::min(n_keep, static_cast<std::uint32_t>(order.size()));
    Selection selection;
    selection.n_protected = n - static_cast<std::uint32_t>(order.size());
    if (n_keep > 0) selection.threshold = scores[order[n_keep - 1]];
    for (std::uint32_t rank = n_keep; rank < order.size(); ++rank)
        selection.dropped.push_back({order[rank], scores[order[rank]], rank});
    std::sort(selection.dropped.begin(), selection.dropped.end(),
              [](const Drop& a, const Drop& b) { return a.place < b.place; });
    std::size_t next = 0;
    for (std::uint32_t place = 0; place < n; ++place) {
        if (next < selection.dropped.size() && selection.dropped[next].place == place)
            ++next;
        else
            selection.kept.push_back(place);
    }
    return selection;
}

}  // namespace

Selection keep_all(std::uint32_t n) {
    Selection selection;
    selection.kept.resize(n);
    std::iota(selection.kept.begin(), selection.kept.end(), 0u);
    return selection;
}

Selection keep_highest(std::span<const float> scores, Candidates candidates, std::uint32_t n_keep) {
    return keep_best(scores, candidates, n_keep, [](float a, float b) { return a > b; });
}

Selection keep_lowest(std::span<const float> scores, Candidates candidates, std::uint32_t n_keep) {
    return keep_best(scores, candidates, n_keep, [](float a, float b) { return a < b; });
}

std::vector<float> reduce_heads(std::span<const std::vector<float>> heads, Reduce reduce) {
    KV_ASSERT(!heads.empty());
    std::vector<float> all = heads[0];
    for (const std::vector<float>& head : heads.subspan(1)) {
        KV_ASSERT(head.size() == all.size());
        for (std::size_t j = 0; j < all.size(); ++j)
            all[j] = reduce == Reduce::Max ? std::max(all[j], head[j]) : all[j] + head[j];
    }
    if (reduce == Reduce::Mean)
        for (float& score : all) score /= static_cast<float>(heads.size());
    return all;
}

}  // namespace kv
