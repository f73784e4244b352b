#pragma once
// Two runs of one scene beside each other: where their tokens part, and what the model of each side
// thought of the tokens of the left one. Gathered once for a state of both recordings and kept
// until one of them grows. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/view/run.hpp"

namespace kv {

// The first token of a request that both sides have and that is not the same; or the first that
// only one side has, once the other one has ended.
struct TokenParting {
    std::string request;
    std::uint32_t index = 0;
    std::optional<std::uint32_t> left, right;
    std::uint32_t iteration = 0;             // of the side that has it, the left one where both do
    std::uint64_t event = 0;                 // of that side's trace: it added the token
    std::optional<std::uint32_t> full = {};  // what a full cache says there, if it was asked
    friend bool operator==(const TokenParting&, const TokenParting&) = default;
};

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

// Null where none has that name.
const RequestView* request_called(const Snapshot& now, std::string_view name);
// The row of logits that the newest token of the request was sampled from in the step before the
// cursor.
const JudgedRow* row_at_cursor(const RunView& run, SeqId request);
// The same text judged by the other run.
const JudgedRow* row_like(const RunView& run, std::string_view request, const JudgedRow& row);

// What a full cache made of the same text; `request` is the left side's. Null where it was not
// asked, or the sides have two models and so two full caches.
const std::vector<float>* full_after(const RunView& left, SeqId request,
                                     const std::vector<std::uint32_t>& seen);

class PairDifference {
public:
    // Looks anew when a run has grown, or another request is in focus.
    void follow(const RunView& left, const RunView& right, SeqId request);

    // In the order of their iterations.
    const std::vector<TokenParting>& partings() const { return partings_; }
    const TokenParting* parting_of(std::string_view request) const;
    const Judgement& judgement() const { return judgement_; }  // of the request in focus

private:
    struct Key {
        std::uint64_t left = 0, right = 0;            // the runs
        std::uint64_t left_size = 0, right_size = 0;  // events recorded of each
        bool ended = false;
        SeqId request{0};
        bool is_there = false;  // the request has arrived at the cursor
        const FullText* in_full = nullptr;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> key_;
    std::vector<TokenParting> partings_;
    Judgement judgement_;
};

}  // namespace kv
