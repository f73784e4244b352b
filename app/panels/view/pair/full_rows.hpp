#pragma once
// The full cache that was asked beside two runs (FullText): its answer to a text that both have.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/panels/view/run.hpp"

namespace kv {

// The row of the full cache that has read the first `n` tokens of `seen` and nothing else.
template <class Tokens>
std::optional<std::size_t> row_after(const FullText& full, SeqId request, const Tokens& seen,
                                     std::size_t n) {
    if (full.request != request || n == 0 || full.tokens.size() < n) return std::nullopt;
    const auto row = std::lower_bound(full.rows.begin(), full.rows.end(), n - 1);
    if (row == full.rows.end() || *row + std::size_t{1} != n) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i)
        if (seen[i] != full.tokens[i]) return std::nullopt;
    return static_cast<std::size_t>(row - full.rows.begin());
}

// False where the sides have two models, and so two full caches.
inline bool has_one_full_cache(const FullText& full) {
    return !full.lost_right.empty();
}

// What a full cache made of the same text; `request` is the left side's. Null where it was not
// asked, or the sides have two models and so two full caches.
const std::vector<float>* full_after(const RunView& left, SeqId request,
                                     const std::vector<std::uint32_t>& seen);

}  // namespace kv
