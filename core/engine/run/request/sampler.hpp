#pragma once
// From logits to a token. Greedy unless a temperature is set; then, in this order, the largest
// top_k logits are kept, softmax at the temperature makes probabilities of them, the fewest of
// these that reach top_p are kept (the nucleus of Holtzman et al., arXiv 1904.09751), and one is
// drawn. The draw depends on seed, request and position alone,
// so a run that is interrupted, batched or replayed picks the same token.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kv {

struct Sampling {
    double temperature = 0;              // 0: the largest logit, of equals the lowest id
    std::optional<std::uint32_t> top_k;  // at least 1
    std::optional<double> top_p;         // above 0, at most 1
    std::uint64_t seed = 0;
};

std::uint32_t sample(std::span<const float> logits, const Sampling& how, std::uint64_t request,
                     std::uint64_t position);

// The probability of each token, above temperature 0, as sample() draws them.
std::vector<double> distribution(std::span<const float> logits, const Sampling& how);

}  // namespace kv
