#pragma once
// The answer of every policy: which tokens of a list are kept and which are dropped, with the
// reason of each drop as numbers. A policy is a function of scores, counts and parameters; it knows
// no block and no tensor. Tokens are named by their place in the list, which rises with position.
//
// Ties are decided in favour of the lower place, so a selection never depends on how it is sorted.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kv {

struct Drop {
    std::uint32_t place;
    float score;         // by which it was judged
    std::uint32_t rank;  // among the candidates, 0 is the best
    friend bool operator==(const Drop&, const Drop&) = default;
};

struct Selection {
    std::vector<std::uint32_t> kept;  // rising
    std::vector<Drop> dropped;        // rising
    std::optional<float> threshold;   // the worst score that was kept for its score
    std::uint32_t n_protected = 0;    // kept whatever their score
};

// Tokens that are judged by their score; the others of the list are protected.
struct Candidates {
    std::uint32_t begin, end;
};

// All of n tokens.
Selection keep_all(std::uint32_t n);
// The n_keep candidates with the highest scores, and every token that is no candidate.
Selection keep_highest(std::span<const float> scores, Candidates candidates, std::uint32_t n_keep);
// The other way round: the lowest scores are kept.
Selection keep_lowest(std::span<const float> scores, Candidates candidates, std::uint32_t n_keep);

// Scores of the query heads that share a KV head become one score per token.
enum class Reduce : std::uint8_t { Mean, Max, Sum };
std::vector<float> reduce_heads(std::span<const std::vector<float>> heads, Reduce reduce);

}  // namespace kv
