#include "core/engine/run/request/sampler.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/numbers/logits.hpp"
#include "core/base/random.hpp"

namespace kv {
namespace {

// Ids from the largest logit down; equals in order of id, so that the cut is always the same.
std::vector<std::uint32_t> by_logit(std::span<const float> logits) {
    std::vector<std::uint32_t> ids(logits.size());
    std::iota(ids.begin(), ids.end(), 0u);
    std::stable_sort(ids.begin(), ids.end(),
                     [logits](std::uint32_t a, std::uint32_t b) { return logits[a] > logits[b]; });
    return ids;
}

// How many of the sorted probabilities it takes to reach top_p.
std::size_t nucleus_size(const std::vector<double>& p, double top_p) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        if ((sum += p[i]) >= top_p) return i + 1;
    return p.size();
}

// What may be drawn, most probable first, with probabilities that add up to `mass`. `ids` may go on
// behind the end of `p`: what lies there is not drawn.
struct Candidates {
    std::vector<std::uint32_t> ids;
    std::vector<double> p;
    double mass = 0;
};

Candidates candidates(std::span<const float> logits, const Sampling& how) {
    Candidates all{by_logit(logits), {}, 0};
    if (how.top_k) all.ids.resize(std::min<std::size_t>(all.ids.size(), *how.top_k));
    std::vector<float> kept;
    kept.reserve(all.ids.size());
    for (const std::uint32_t id : all.ids) kept.push_back(logits[id]);
    all.p = probabilities_of(kept, how.temperature);
    if (how.top_p) all.p.resize(nucleus_size(all.p, *how.top_p));
    all.mass = std::accumulate(all.p.begin(), all.p.end(), 0.0);
    return all;
}

}  // namespace

std::uint32_t sample(std::span<const float> logits, const Sampling& how, std::uint64_t request,
                     std::uint64_t position) {
    if (how.temperature == 0) return top_token(logits);
    const auto [ids, p, mass] = candidates(logits, how);
    double left = Random(how.seed, request).unit(position) * mass;
    for (std::size_t i = 0; i + 1 < p.size(); ++i)
        if ((left -= p[i]) < 0) return ids[i];
    return ids[p.size() - 1];
}

std::vector<double> distribution(std::span<const float> logits, const Sampling& how) {
    KV_ASSERT(how.temperature > 0);
    const auto [ids, p, mass] = candidates(logits, how);
    std::vector<double> all(logits.size());
    for (std::size_t i = 0; i < p.size(); ++i) all[ids[i]] = p[i] / mass;
    return all;
}

}  // namespace kv
