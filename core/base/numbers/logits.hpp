#pragma once
// What a row of logits says, in float64: the probability of each token, how surprised it is by one,
// how far another row is from it. Whoever draws, judges or compares tokens asks here, so that the
// run, its measurements and the window have the same numbers.

#include <cstdint>
#include <span>
#include <vector>

namespace kv {

// The token with the largest logit; of equal ones the lowest id.
std::uint32_t top_token(std::span<const float> logits);

// softmax(logits / temperature).
std::vector<double> probabilities_of(std::span<const float> logits, double temperature = 1);

// NLL: -log probability of `token`, in nats. Perplexity is exp of its mean over the tokens of a
// text.
double negative_log_likelihood(std::span<const float> logits, std::uint32_t token);

// KL(p || q) in nats: the mean, over tokens drawn from p, of log p - log q.
double kl_divergence(std::span<const float> p_logits, std::span<const float> q_logits);

}  // namespace kv
