#include "core/cache/eviction/expected_attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

// R^T k: R rotates a pair (a, b) to (a cos - b sin, b cos + a sin).
std::vector<double> rotated_back(const std::vector<float>& key, const MeanRotation& places) {
    const std::size_t half = places.cosine.size();
    KV_ASSERT(key.size() == 2 * half);
    std::vector<double> y(key.size());
    for (std::size_t i = 0; i < half; ++i) {
        const double a = static_cast<double>(key[i]), b = static_cast<double>(key[i + half]);
        y[i] = a * places.cosine[i] + b * places.sine[i];
        y[i + half] = b * places.cosine[i] - a * places.sine[i];
    }
    return y;
}

void softmax(std::span<float> scores) {
    const float top = *std::max_element(scores.begin(), scores.end());
    float sum = 0;
    for (float& score : scores) sum += score = math::exp(score - top);
    for (float& score : scores) score /= sum;
}

}  // namespace

void QueryMoments::add(std::span<const double> query) {
    const std::size_t d = query.size();
    sums_.resize(d);
    products_.resize(d * (d + 1) / 2);
    ++count_;
    double* product = products_.data();
    for (std::size_t i = 0; i < d; ++i) {
        sums_[i] += query[i];
        for (std::size_t j = 0; j <= i; ++j) *product++ += query[i] * query[j];
    }
}

double QueryMoments::mean_along(std::span<const double> y) const {
    KV_ASSERT(count_ > 0 && y.size() == sums_.size());
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += sums_[i] * y[i];
    return sum / static_cast<double>(count_);
}

// The mean square less the square of the mean; rounding must not leave it below 0.
double QueryMoments::variance_along(std::span<const double> y) const {
    const double mean = mean_along(y);
    const double* product = products_.data();
    double squares = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        double row = 0;
        for (std::size_t j = 0; j < i; ++j) row += *product++ * y[j];
        squares += y[i] * (2 * row + *product++ * y[i]);
    }
    return std::max(0.0, squares / static_cast<double>(count_) - mean * mean);
}

// Rotations in equal steps add up to one towards their middle, sin(count f / 2) / sin(f / 2) long.
MeanRotation mean_rotation(std::span<const double> frequencies, std::uint32_t first,
                           std::uint32_t count) {
    KV_ASSERT(count > 0);
    MeanRotation mean;
    for (const double frequency : frequencies) {
        const double middle = (first + (count - 1) / 2.0) * frequency;
        const double one = count * math::sin(frequency / 2), all = math::sin(count * frequency / 2);
        const double length = one == 0 ? 1 : all / one;
        mean.cosine.push_back(length * math::cos(middle));
        mean.sine.push_back(length * math::sin(middle));
    }
    return mean;
}

std::vector<float> expected_scores(const Vectors& keys, const Vectors& values,
                                   const ExpectedQueries& queries, std::uint32_t sinks) {
    KV_ASSERT(keys.size() == values.size() && keys.size() > sinks);
    const auto d = static_cast<double>(keys[0].size());
    std::vector<std::vector<float>> heads(queries.heads.size(), std::vector<float>(keys.size()));
    for (std::size_t j = sinks; j < keys.size(); ++j) {
        const std::vector<double> y = rotated_back(keys[j], queries.places);
        for (std::size_t h = 0; h < heads.size(); ++h)
            heads[h][j] = static_cast<float>(queries.heads[h].mean_along(y) / std::sqrt(d) +
                                             queries.heads[h].variance_along(y) / (2 * d));
    }
    for (std::vector<float>& scores : heads) softmax(std::span(scores).subspan(sinks));
    std::vector<float> scores = reduce_heads(heads, queries.reduce);
    const std::vector<float> norms = norms_of(values);
    for (std::size_t j = 0; j < scores.size(); ++j) scores[j] *= norms[j];
    return scores;
}

}  // namespace kv
