#pragma once
// H2O: the tokens that attention has leaned on most so far, and the newest ones (arXiv 2306.14048).
// A token's score is the sum of the softmax weights that all queries since it came have given it.
// Nothing protects the first tokens: where they stay, their sums are large.
//
// With GQA a KV head's key is kept or dropped for all query heads that read it. Each of them adds
// up its own weights, and only when tokens are judged do their sums become one score per token:
// reduce_heads(), the mean unless the scene says otherwise. TokenKeeper in core/engine/policy has
// the sums: take_weights() collects what the queries of a step give; choose_heavy(), in
// token_keeper_choose.cpp, adds it by add_weights(), joins the heads and asks keep_heavy().

#include <cstdint>
#include <span>

#include "core/cache/eviction/selection.hpp"

namespace kv {

struct HeavyHitters {
    std::uint32_t heavy = 16, recent = 16;
    double decay = 1;         // of all sums at each step; 1 is the paper
    std::uint32_t grace = 0;  // the newest so many positions stay, in the room of `heavy`; 0: paper
};

// One step: the old sums fade, and what this step's queries gave is added.
void add_weights(std::span<float> scores, std::span<const float> step, double decay);

// `positions` of the tokens in the text, rising: the last is the newest.
Selection keep_heavy(std::span<const float> scores, std::span<const std::uint32_t> positions,
                     const HeavyHitters& rule);

}  // namespace kv
