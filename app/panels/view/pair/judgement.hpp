#pragma once
// What the models of two runs thought of the tokens of one request, and how far both are from a
// full cache: negative log-likelihood and KL divergence, token by token and together.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/panels/view/run.hpp"

namespace kv {

// The numbers of one token beside a cache in float32 that keeps everything; of many the means, but
// for `agree`, which is summed.
struct BesideFull {
    double nll = 0;                        // of the full cache
    std::array<double, 2> kl{}, lost{};    // by side: KL(full || side); its attention lost
    std::array<std::uint32_t, 2> agree{};  // on the most probable token
    bool knows_lost_right = true;          // the sides have one model
};

// A token that both sides were told, or that the left one sampled after a text that both have.
struct JudgedToken {
    std::uint32_t index = 0, token = 0;
    double left = 0, right = 0;  // negative log-likelihood in nats
    double kl = 0;               // KL(left || right)
    bool agree = false;          // on the most probable token
    std::optional<BesideFull> full;
};
struct Judgement {
    std::vector<JudgedToken> tokens;
    double left = 0, right = 0, kl = 0;  // means
    std::uint32_t agree = 0;             // the sum
    std::optional<BesideFull> full;      // once it is known of all of them
    bool told = false;                   // the full cache's answer; else what the left side sampled
    std::uint32_t n_forced = 0;          // of the told ones: by the scene
};

// `request` is the left side's.
Judgement judgement_of(const RunView& left, const RunView& right, SeqId request);

// The row of logits that the newest token of the request was sampled from in the step before the
// cursor.
const JudgedRow* row_at_cursor(const RunView& run, SeqId request);
// The same text judged by the other run.
const JudgedRow* row_like(const RunView& run, std::string_view request, const JudgedRow& row);

}  // namespace kv
