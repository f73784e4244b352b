#include "core/engine/draft/acceptance.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"

namespace kv {

double acceptance(std::span<const double> p, std::span<const double> q, std::uint32_t token) {
    KV_ASSERT(token < p.size() && p.size() == q.size() && q[token] > 0);
    return std::min(1.0, p[token] / q[token]);
}

std::vector<double> adjusted_distribution(std::span<const double> p, std::span<const double> q) {
    KV_ASSERT(p.size() == q.size());
    std::vector<double> rest(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) rest[i] = std::max(0.0, p[i] - q[i]);
    const double mass = std::accumulate(rest.begin(), rest.end(), 0.0);
    // p and q are equal but for rounding. Only by rounding is a token struck then, and p itself is
    // drawn from.
    if (mass == 0) return {p.begin(), p.end()};
    for (double& each : rest) each /= mass;
    return rest;
}

std::uint32_t token_at(std::span<const double> probabilities, double u) {
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < probabilities.size(); ++i) {
        if (probabilities[i] <= 0) continue;
        last = i;
        if ((u -= probabilities[i]) < 0) return i;
    }
    return last;  // rounding: they add up to a little less than u
}

}  // namespace kv
