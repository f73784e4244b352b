#include "core/cache/eviction/recency.hpp"

#include <algorithm>

namespace kv {
namespace {

// A token's score is how new it is: its place in the list.
Selection keep_ends(std::uint32_t n, std::uint32_t first, std::uint32_t last) {
    if (first + last >= n) return keep_all(n);
    Selection selection;
    selection.n_protected = first;
    if (last > 0) selection.threshold = static_cast<float>(n - last);
    for (std::uint32_t place = 0; place < n; ++place) {
        if (place < first || place >= n - last)
            selection.kept.push_back(place);
        else
            selection.dropped.push_back({place, static_cast<float>(place), n - 1 - place});
    }
    return selection;
}

}  // namespace

Selection keep_recent(std::uint32_t n, std::uint32_t sinks, std::uint32_t recent) {
    return keep_ends(n, sinks, recent);
}

Selection evict_for_space(std::uint32_t n, std::uint32_t m, std::uint32_t sinks,
                          std::uint32_t recent) {
    if (n + m <= sinks + recent) return keep_all(n);
    return keep_ends(n, sinks, recent - std::min(m, recent));
}

}  // namespace kv
