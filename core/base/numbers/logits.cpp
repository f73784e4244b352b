#include "core/base/numbers/logits.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

// The largest logit is taken off before exp, which overflows at 710.
struct Normalizer {
    double top = 0, log_sum = 0;  // of exp(logit - top)
};

Normalizer normalizer_of(std::span<const float> logits) {
    const double top = logits[top_token(logits)];
    double sum = 0;
    for (const float logit : logits) sum += math::exp(logit - top);
    return {top, math::log(sum)};
}

}  // namespace

std::uint32_t top_token(std::span<const float> logits) {
    KV_ASSERT(!logits.empty());
    return static_cast<std::uint32_t>(std::max_element(logits.begin(), logits.end()) -
                                      logits.begin());
}

std::vector<double> probabilities_of(std::span<const float> logits, double temperature) {
    const double top = logits[top_token(logits)];
    std::vector<double> p;
    p.reserve(logits.size());
    double sum = 0;
    for (const float logit : logits) sum += p.emplace_back(math::exp((logit - top) / temperature));
    for (double& each : p) each /= sum;
    return p;
}

double negative_log_likelihood(std::span<const float> logits, std::uint32_t token) {
    const Normalizer of = normalizer_of(logits);
    return of.log_sum + of.top - logits[token];
}

// Computed with logarithms, since a probability can underflow to 0 and its logarithm cannot.
double kl_divergence(std::span<const float> p_logits, std::span<const float> q_logits) {
    KV_ASSERT(p_logits.size() == q_logits.size());
    const Normalizer of_p = normalizer_of(p_logits), of_q = normalizer_of(q_logits);
    double sum = 0;
    for (std::size_t i = 0; i < p_logits.size(); ++i) {
        const double log_p = p_logits[i] - of_p.top - of_p.log_sum;
        const double log_q = q_logits[i] - of_q.top - of_q.log_sum;
        sum += math::exp(log_p) * (log_p - log_q);
    }
    return std::max(0.0, sum);
}

}  // namespace kv
