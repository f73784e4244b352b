#pragma once
// Speculative sampling: the draft model drew a token from q, the target has p. The token is
// accepted with probability min(1, p / q); if it is not, one is drawn from what p has more than q.
// What comes out is distributed as p, whatever q is (Leviathan et al. 2023, theorem 1; Chen et al.
// 2023).

#include <cstdint>
#include <span>
#include <vector>

namespace kv {

// min(1, p(token) / q(token)), for a token that q can draw.
double acceptance(std::span<const double> p, std::span<const double> q, std::uint32_t token);
// norm(max(0, p - q)), p' in the papers: what is drawn from when a token was rejected.
std::vector<double> adjusted_distribution(std::span<const double> p, std::span<const double> q);
// The token that `u` of [0, 1) falls on when probabilities lie side by side in order of id.
std::uint32_t token_at(std::span<const double> probabilities, double u);

}  // namespace kv
