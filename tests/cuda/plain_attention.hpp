#pragma once
// Attention of one query by a plain loop, and how far rounding in float may take a kernel from it.

#include <algorithm>
#include <cmath>
#include <vector>

namespace kv::test {

// `keys`, `values`: one vector each of every slot that the query sees, oldest first.
template <class Real>
std::vector<Real> plain_attention(const std::vector<Real>& query,
                                  const std::vector<std::vector<Real>>& keys,
                                  const std::vector<std::vector<Real>>& values) {
    std::vector<Real> weights, out(values.at(0).size());
    Real top = -INFINITY, sum = 0;
    for (const std::vector<Real>& key : keys) {
        Real score = 0;
        for (std::size_t c = 0; c < query.size(); ++c) score += query[c] * key[c];
        weights.push_back(score / std::sqrt(static_cast<Real>(query.size())));
        top = std::max(top, weights.back());
    }
    for (Real& w : weights) sum += w = std::exp(w - top);
    for (std::size_t j = 0; j < values.size(); ++j)
        for (std::size_t c = 0; c < out.size(); ++c) out[c] += weights[j] / sum * values[j][c];
    return out;
}

// What rounding in float may add to an element of that output. With u = 2^-24: a score is a sum of
// k_dim products and off by d = (k_dim + 4) u times the sum of their sizes. Every weight is then
// off by the 2 d of its own score and the largest, by 2 u of what it takes away from the largest,
// and by a few u of its own; their sum and the mix add an u for each key. `keys` and `values` hold
// the sizes of what is summed: of a number that is itself a sum, those of its parts.
inline double attention_rounding(const std::vector<double>& query,
                                 const std::vector<std::vector<double>>& keys,
                                 const std::vector<std::vector<double>>& values) {
    constexpr double kU = 0x1p-24;
    const double k_dim = static_cast<double>(query.size()), n = static_cast<double>(keys.size());
    double sizes = 0, reach = 0;
    for (const std::vector<double>& key : keys) {
        double sum = 0;
        for (std::size_t c = 0; c < query.size(); ++c) sum += std::abs(query[c] * key[c]);
        sizes = std::max(sizes, sum / std::sqrt(k_dim));
    }
    for (const std::vector<double>& value : values)
        for (const double x : value) reach = std::max(reach, std::abs(x));
    return reach * kU * (4 * (k_dim + 4) * sizes + 4 * sizes + 2 * n + 32);
}

}  // namespace kv::test
