#pragma once
// Rotary positions, rotate-half form: element i of the first half of a head and element i of the
// second half are rotated together by position x frequency i. The frequencies are a property of the
// model; how they are scaled for long texts is part of its config.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/planted.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// head_dim / 2 frequencies in radians per position, the first is 1. Throws for a scaling that only
// the cost model knows.
std::vector<double> rope_frequencies(const ModelConfig& config);

// Rotates one head in place, back if `by` is negative. `Real` is float, or double for the truth.
template <class Real>
void rotate_head(Real* head, const std::vector<double>& frequencies, std::int64_t by);

// The same for heads side by side, which stand at one position.
template <class Real>
void rotate_heads(Real* heads, std::size_t count, const std::vector<double>& frequencies,
                  std::int64_t by);

// For a table with a row of heads for each token.
template <class Table>
void rotate_rows(Table& heads, const std::vector<double>& frequencies,
                 std::span<const std::uint32_t> positions) {
    const bool too_far = positions.size() == 1 && planted(PlantedBug::RotatedTooFar);
    for (std::size_t i = 0; i < positions.size(); ++i)
        rotate_heads(heads[i], heads.columns() / (2 * frequencies.size()), frequencies,
                     std::int64_t{positions[i]} + (too_far ? 1 : 0));
}

}  // namespace kv
