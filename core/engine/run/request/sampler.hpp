#pragma once
// From logits to a token. Greedy unless a temperature is set; then, in this order, the largest
// top_k logits are kept, softmax at the temperature makes probabilities of them, the fewest of
// these that reach top_p are kept (the nucleus of Holtzman et al., arXiv 1904.09751), and one is
// drawn. The draw depends on seed, request and position alone, so a run that is interrupted,
// batched or replayed picks the same token.
//
// At temperature 1 the logits 2, 1 and 0 of tokens 0, 1 and 2 are the probabilities 0.665, 0.245
// and 0.090. With top_p 0.8 two tokens are kept, since 0.665 does not reach it and 0.910 does. They
// lie side by side on [0, 0.910), the most probable first. A draw of [0, 1) is multiplied by 0.910:
// 0.8 becomes 0.728, beyond the 0.665 of token 0, so token 1 is drawn. Below 0.731 it is token 0.

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
