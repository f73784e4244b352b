#pragma once
// Attention of one query by a plain loop, and how far rounding in float may take a kernel from it.

#include <algorithm>
#include <cmath>
#include <vector>

namespace kv::test {

// `keys`: (seen, k_dim), `values`: (seen, v_dim), of every slot that the query sees, oldest first.
template <class Real>
std::vector<Real> plain_attention(const std::vector<Real>& query, const std::vector<Real>& keys,
                                  const std::vector<Real>& values) {
    const std::size_t k_dim = query.size(), n = keys.size() / k_dim, v_dim = values.size() / n;
    std::vector<Real> weights, out(v_dim);
    Real top = -INFINITY, sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
        Real score = 0;
        for (std::size_t c = 0; c < k_dim; ++c) score += query[c] * keys[j * k_dim + c];
        weights.push_back(score / std::sqrt(static_cast<Real>(k_dim)));
        top = std::max(top, weights.back());
    }
    for (Real& w : weights) sum += w = std::exp(w - top);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = 0; c < v_dim; ++c) out[c] += weights[j] / sum * values[j * v_dim + c];
    return out;
}

// What rounding in float may add to an element of that output. With u = 2^-24: a score is a sum of
// k_dim products and off by d = (k_dim + 4) u times the sum of their sizes. Every weight is then
// off by the 2 d of its own score and the largest, by 2 u of what it takes away from the largest,
// and by a few u of its own; their sum and the weighed values add an u for each key. `keys` and
// `values` hold the sizes of what is summed: of a number that is itself a sum, those of its parts.
inline double attention_rounding(const std::vector<double>& query, const std::vector<double>& keys,
                                 const std::vector<double>& values) {
    constexpr double kU = 0x1p-24;
    const std::size_t k_dim = query.size(), n = keys.size() / k_dim;
    double sizes = 0, reach = 0;
    for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t c = 0; c < k_dim; ++c) sum += std::abs(query[c] * keys[j * k_dim + c]);
        sizes = std::max(sizes, sum / std::sqrt(static_cast<double>(k_dim)));
    }
    for (const double x : values) reach = std::max(reach, std::abs(x));
    return reach * kU *
           (4 * (static_cast<double>(k_dim) + 4) * sizes + 4 * sizes + 2 * static_cast<double>(n) +
            32);
}

}  // namespace kv::test
