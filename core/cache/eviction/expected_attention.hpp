#pragma once
// Expected Attention: what the queries that are still to come will take from each token, if they
// are like those of the prompt (arXiv 2510.00636). Runs once, when the prompt has been read.
//
//   y_j     = R^T k_j          R: the mean of the rotations to the places behind the prompt
//   score_j = |v_j| softmax_j(y_j . mu / sqrt(d) + y_j^T Sigma y_j / 2d)
//
// where mu and Sigma are mean and covariance of the prompt's queries before they were rotated, and
// k_j is the key as it was rotated to its own place. A query q of a normal distribution gives the
// mean of exp(q . k / sqrt(d)) exactly that exponent. The first tokens, on which attention rests
// whatever they are, are neither counted among the queries nor judged.

#include <cstdint>
#include <span>
#include <vector>

#include "core/cache/eviction/key_scores.hpp"
#include "core/cache/eviction/selection.hpp"

namespace kv {

struct FutureQueries {
    std::uint32_t sinks = 4;      // tokens, from the first, that are kept
    std::uint32_t horizon = 512;  // places behind the prompt where queries are expected
};

// Mean and covariance of the queries of one head, before rotation. They are added one by one and in
// float64, so that it changes no bit in which chunks a prompt comes.
class QueryMoments {
public:
    void add(std::span<const double> query);
    std::uint64_t count() const { return count_; }
    // Mean and variance (divisor: the count) of q . y.
    double mean_along(std::span<const double> y) const;
    double variance_along(std::span<const double> y) const;

private:
    std::uint64_t count_ = 0;
    std::vector<double> sums_;      // (d)
    std::vector<double> products_;  // q_i q_j for j <= i, row by row: d (d + 1) / 2 of them
};

// The mean of the rotations to `count` positions from `first` on, a pair of channels each: it
// rotates and shortens, most where channels rotate fast.
struct MeanRotation {
    std::vector<double> cosine, sine;  // (d / 2)
};
MeanRotation mean_rotation(std::span<const double> frequencies, std::uint32_t first,
                           std::uint32_t count);

struct ExpectedQueries {
    std::span<const QueryMoments> heads;  // that share the KV head
    MeanRotation places;
    Reduce reduce = Reduce::Mean;
};
// Softmax over the keys behind the first `sinks`, head by head; those of the sinks are 0.
std::vector<float> expected_scores(const Vectors& keys, const Vectors& values,
                                   const ExpectedQueries& queries, std::uint32_t sinks);

}  // namespace kv
