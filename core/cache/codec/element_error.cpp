#include "core/cache/codec/element_error.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace kv {

void ElementError::add(double truth, double stored) {
    const double off = stored - truth;
    ++n;
    squares += off * off;
    truth_squares += truth * truth;
    absolute += std::abs(off);
    largest = std::max(largest, std::abs(off));
}

ElementError& ElementError::operator+=(const ElementError& other) {
    n += other.n;
    squares += other.squares;
    truth_squares += other.truth_squares;
    absolute += other.absolute;
    largest = std::max(largest, other.largest);
    return *this;
}

double ElementError::rms() const {
    return n == 0 ? 0 : std::sqrt(squares / static_cast<double>(n));
}
double ElementError::relative_rms() const {
    return truth_squares == 0 ? 0 : std::sqrt(squares / truth_squares);
}
double ElementError::mean() const {
    return n == 0 ? 0 : absolute / static_cast<double>(n);
}

ElementError element_error(std::span<const float> truth, std::span<const float> stored) {
    KV_ASSERT(truth.size() == stored.size());
    ElementError error;
    for (std::size_t i = 0; i < truth.size(); ++i) error.add(truth[i], stored[i]);
    return error;
}

std::vector<ElementError> coding_error_by_channel(const Codec& codec, std::span<const float> values,
                                                  std::uint32_t dim, SharedScale shared) {
    KV_ASSERT(dim > 0 && values.size() % dim == 0 && !codec.has_residual());
    std::vector<ElementError> errors(dim);
    std::vector<std::byte> bytes(vector_of(codec, dim).bytes);
    std::vector<float> back(dim);
    for (std::size_t row = 0; row < values.size(); row += dim) {
        encode_vector(codec, values.data() + row, dim, bytes.data(), shared);
        decode_vector(codec, bytes.data(), dim, back.data(), shared);
        for (std::uint32_t c = 0; c < dim; ++c) errors[c].add(values[row + c], back[c]);
    }
    return errors;
}

ElementError coding_error(const Codec& codec, std::span<const float> values, std::uint32_t dim,
                          SharedScale shared) {
    ElementError sum;
    for (const ElementError& channel : coding_error_by_channel(codec, values, dim, shared))
        sum += channel;
    return sum;
}

}  // namespace kv
