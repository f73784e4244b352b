#pragma once
// How far stored elements are from what they were made of: for meters and maps. Pure.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cache/codec/vector_codec.hpp"

namespace kv {

// Sums over any number of elements; two of them add up.
struct ElementError {
    std::uint64_t n = 0;
    double squares = 0, truth_squares = 0;  // of the errors, of the true values
    double absolute = 0, largest = 0;

    void add(double truth, double stored);
    ElementError& operator+=(const ElementError& other);
    double rms() const;
    double relative_rms() const;  // of the true values' own; 0 where these are all 0
    double mean() const;          // of the magnitudes
};

ElementError element_error(std::span<const float> truth, std::span<const float> stored);

// What coding these vectors, (rows, dim) side by side, costs: of codecs that code a vector by
// itself or with the given scale.
ElementError coding_error(const Codec& codec, std::span<const float> values, std::uint32_t dim,
                          SharedScale shared = kNoScale);
// The same for each channel: the columns of a map.
std::vector<ElementError> coding_error_by_channel(const Codec& codec, std::span<const float> values,
                                                  std::uint32_t dim, SharedScale shared = kNoScale);

}  // namespace kv
