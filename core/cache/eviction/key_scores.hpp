#pragma once
// Policies that look at the keys themselves and need no query: Knorm (arXiv 2406.11430) keeps keys
// of low norm, KeyDiff (arXiv 2504.15364) those that differ most from the others, LagKV (arXiv
// 2504.04704) those that spread most against the chunk behind them. And random, which looks at
// nothing: what every other policy has to beat.

#include <cstdint>
#include <span>
#include <vector>

#include "core/cache/eviction/selection.hpp"

namespace kv {

using Vectors = std::vector<std::vector<float>>;  // one key or value per token

// What a ratio leaves of n tokens: at least one.
std::uint32_t kept_of(std::uint32_t n, double ratio);

std::vector<float> norms_of(const Vectors& vectors);

// The cosine of each key with the mean direction of all of them.
std::vector<float> cosines_to_mean(const Vectors& keys);
// KeyDiff goes block by block: from the first n_keep tokens on, each block joins them and n_keep
// stay. With a block of 0 all tokens are judged at once.
Selection keep_different(const Vectors& keys, std::uint32_t n_keep, std::uint32_t block);

struct Lag {
    std::uint32_t sinks = 4, lag = 16;
};
// So many tokens have two chunks behind the sinks: one to judge, and one to hold it against.
std::uint64_t least_judged(const Lag& rule);
// How many of n tokens are never judged: sinks, the last whole chunk, which has none behind it, and
// what follows that. All of them where there are too few.
std::uint32_t never_judged(std::uint32_t n, const Lag& rule);
// 0 to 1: the rank inside its chunk, and 1 for tokens that are never judged.
std::vector<float> lag_scores(const Vectors& keys, const Vectors& values, const Lag& rule);
// n_keep of the tokens, or all that are never judged if these are more.
Selection keep_unlike_next(const Vectors& keys, const Vectors& values, const Lag& rule,
                           std::uint32_t n_keep);

struct RandomKey {
    std::uint64_t seed;
    std::uint32_t request, layer, kv_head;
};
// Uniform in [0, 1); a token's score stays what it is, whenever it is asked for.
std::vector<float> random_scores(std::span<const std::uint32_t> positions, const RandomKey& key);

}  // namespace kv
