#pragma once
// Rotary positions, rotate-half form: element i of the first half of a head and element i of the
// second half are rotated together by position x frequency i. The frequencies are a property of the
// model; how they are scaled for long texts is part of its config.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
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

// Cosine and sine of one angle: the position times one of the frequencies.
template <class Real>
struct CosSin {
    Real cosine, sine;
};

// A rotation of one head by so many positions whose cosines and sines are computed once. The same
// bits as rotate_head().
template <class Real>
class FixedRotation {
public:
    FixedRotation(const std::vector<double>& frequencies, std::int64_t by);
    void rotate(Real* head) const;  // in place

private:
    std::vector<CosSin<Real>> angles_;  // one a frequency
};

// Cosines and sines of the positions that were asked for: where keys are rotated when they are
// read, a pass meets the same positions again in every layer and head. The same bits as
// rotate_heads().
template <class Real>
class Rotations {
public:
    explicit Rotations(std::vector<double> frequencies) : frequencies_(std::move(frequencies)) {}
    // Heads side by side, in place.
    void rotate(Real* heads, std::size_t count, std::uint32_t position);
    std::size_t head_dim() const { return 2 * frequencies_.size(); }

private:
    std::vector<double> frequencies_;
    std::vector<std::vector<CosSin<Real>>> angles_;  // by position: one a frequency
};

// Rotates a table that has a row of heads for each token.
template <class Real, class Table>
void rotate_rows(Table& heads, Rotations<Real>& rotations,
                 std::span<const std::uint32_t> positions) {
    const bool too_far = positions.size() == 1 && planted(PlantedBug::RotatedTooFar);
    for (std::size_t i = 0; i < positions.size(); ++i)
        rotations.rotate(heads[i], heads.columns() / rotations.head_dim(),
                         positions[i] + (too_far ? 1 : 0));
}

}  // namespace kv
