#pragma once
// RoPE (Su et al., "RoFormer", arXiv 2104.09864) in the rotate-half form: pair i of a head,
// elements i and i + d/2 of d = head_dim, is rotated by the angle position x theta^(-2i/d):
//
//     a' = a cos - b sin        b' = b cos + a sin
//
// theta is a property of the model; how the frequencies theta^(-2i/d) are scaled for long texts is
// part of its config (rope_frequencies). All that rotates here ends in rotate_pair() of rope.cpp,
// the two lines above, and so gives the same bits. Cosines and sines come in three ways:
//
//   rotate_head(s)   computes them each time: policies, and keys that are shifted in place
//   FixedRotation    computes those of one distance once, for many heads: lessons alone, where a
//                    key is turned back by one position again and again (drifts_after in
//                    core/lesson/language/functions/codec.cpp)
//   Rotations        remembers those of the first 4,096 positions, since a pass meets a position
//                    again in each layer: rotate_rows() asks it before keys are stored, PassCache
//                    where keys are rotated each time they are read
//
// The kernels have the two lines once more: rotate() in core/engine/cpu/kernels/row_kernels.hpp and
// norm_and_rotate() in cuda/kernels/rope_append/heads.hpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/planted.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// theta^(-2i/d), scaled, for i = 0 ... d/2 - 1, in radians per position. Of the scalings of
// core/model/config/config.hpp the linear one and Llama 3's are computed; for YaRN this throws,
// since the config reader reads it only so that such a model can be priced.
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

// A rotation of heads by one distance, whose cosines and sines are computed once.
template <class Real>
class FixedRotation {
public:
    FixedRotation(const std::vector<double>& frequencies, std::int64_t by);
    void rotate(Real* head) const;  // in place

private:
    std::vector<CosSin<Real>> angles_;  // one a frequency
};

// Rotations by a position. The cosines and sines of one of the first 4,096 are remembered, once it
// was asked for.
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

template <class Real, class Table>
void rotate_rows_wrongly(Table& heads, Rotations<Real>& rotations,
                         std::span<const std::uint32_t> positions);

// Rotates a table of queries or keys that has a row of heads for each token.
template <class Real, class Table>
void rotate_rows(Table& heads, Rotations<Real>& rotations,
                 std::span<const std::uint32_t> positions) {
    if (planted(PlantedBug::RotatedTooFar)) return rotate_rows_wrongly(heads, rotations, positions);
    const std::size_t n_heads = heads.columns() / rotations.head_dim();
    for (std::size_t i = 0; i < positions.size(); ++i)
        rotations.rotate(heads[i], n_heads, positions[i]);
}

// Planted bugs.

// One position too far while it decodes.
template <class Real, class Table>
void rotate_rows_wrongly(Table& heads, Rotations<Real>& rotations,
                         std::span<const std::uint32_t> positions) {
    const std::uint32_t too_far = positions.size() == 1 ? 1 : 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
        rotations.rotate(heads[i], heads.columns() / rotations.head_dim(), positions[i] + too_far);
}

}  // namespace kv
