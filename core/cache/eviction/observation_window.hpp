#pragma once
// SnapKV: what the last few queries of a prompt look at is what is kept of it (arXiv 2404.14469).
// PyramidKV is the same with more room in the lower layers (arXiv 2406.02069); AdaKV lets the heads
// of a layer compete for it (arXiv 2407.11550). All run once, when the prompt has been read:
//
//   1. The queries of the last `window` tokens give softmax weights to all tokens before them.
//      TokenKeeper::take_weights() adds them up, for each query head by itself.
//   2. window_scores() joins the query heads of a KV head, and pools each score with its
//      neighbours, so that a token stays together with those around it.
//   3. keep_observed() keeps the window, and before it the tokens with the highest scores: as many
//      as there is room() for, or what the budgets of the other two policies say.
//
// TokenKeeper::after_step() asks for 2 and 3 once the prompt's last chunk has attended, in
// choose_observed() (core/engine/policy/token_keeper_choose.cpp); a prompt shorter than the
// capacity is kept whole (TokenKeeper::observes).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/cache/eviction/selection.hpp"

namespace kv {

enum class Pooling : std::uint8_t { Average, Max };

// Each score with its neighbours, `kernel` of them, which is odd. The average divides by the kernel
// at the ends as well, where neighbours are missing; so the ends come out low.
std::vector<float> pool_scores(std::span<const float> scores, std::uint32_t kernel,
                               Pooling pooling);

struct ObservationWindow {
    std::uint32_t capacity = 64, window = 16, kernel = 5;  // the capacity includes the window
    Pooling pooling = Pooling::Average;
    Reduce reduce = Reduce::Mean;
    bool pool_first = false;  // each query head by itself, and the heads are joined afterwards

    // For tokens before the window.
    std::uint32_t room() const { return capacity - window; }
};

// `heads`: of each query head that shares the KV head, the sums of the window's weights for the
// tokens before the window. One pooled score for each of these tokens.
std::vector<float> window_scores(std::span<const std::vector<float>> heads,
                                 const ObservationWindow& rule);

// The tokens with the highest pooled scores, n_keep of them, and the window behind them.
Selection keep_observed(std::span<const float> pooled, std::uint32_t n_keep, std::uint32_t window);

// PyramidKV: how many tokens each layer keeps beside the window, of a prompt of n tokens. On
// average it is the room, as with SnapKV. The last layer keeps a `beta`th of that, the
// first one as much more than the average as the last one keeps less, and those between fall by
// equal steps. Eight layers, n 200, capacity 64, window 8 and beta 20: average 56, last 2, first
// 110, step 108 / 7, which is rounded down to 15. The layers keep 110 95 80 65 50 35 20 5, and
// rounding adds 12 in all. Empty for a prompt shorter than the capacity, of which nothing is
// dropped.
std::vector<std::uint32_t> pyramid_budgets(std::uint32_t n, const ObservationWindow& rule,
                                           std::uint32_t beta, std::uint32_t n_layers);

// AdaKV: how many tokens each KV head of a layer keeps beside the window, `room` on average.
// `even_share` of that is dealt out evenly, the rest by how many of the layer's best scores a head
// has. Two heads, room 56, a fifth evenly: of the 112 best one has 80 and the other 32, so they
// keep 0.8 * 80 + 11 = 75 and 0.8 * 32 + 11 = 36.6, which is rounded to 37. Rounding may lose or
// add a token. Empty for a prompt shorter than the capacity, of which nothing is dropped.
std::vector<std::uint32_t> adaptive_budgets(std::span<const std::vector<float>> pooled,
                                            std::uint32_t room, double even_share);

}  // namespace kv
