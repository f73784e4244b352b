#pragma once
// How long requests wait for their first token, by the cost model, without queueing: the arithmetic
// of what is computed at a share of the card's roof, or one reading of the weights where that takes
// longer, and before it the bytes of the host tier over the link.
//
//   t = max((prefill(prompt) - prefill(found)) / (roof x share), weights / bandwidth)
//       + bytes from the host / link

#include <string>
#include <unordered_map>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/shape.hpp"
#include "core/whatif/outcome.hpp"

namespace kv {

struct FirstTokenModel {
    ModelShape model;
    CodecPair codecs;      // in which blocks lie, on the device and in the host
    double flops = 0;      // FLOP/s of the card with bf16 inputs
    double share = 0.5;    // of it that a prefill reaches
    double bandwidth = 0;  // B/s of the card's memory
    double link = 0;       // B/s between host and card
};

struct FirstTokenSeconds {
    double median = 0, mean = 0, p95 = 0;
    friend bool operator==(const FirstTokenSeconds&, const FirstTokenSeconds&) = default;
};

class FirstTokens {
public:
    explicit FirstTokens(const FirstTokenModel& model);

    double seconds(u64 prompt_tokens, const PoolOutcome::Request& found);
    // Over all requests; the p-th percentile is the smallest that p % do not exceed. Nothing of
    // none.
    std::optional<FirstTokenSeconds> of(const Recording& recording, const PoolOutcome& outcome);

private:
    double prefill(u64 tokens);

    FirstTokenModel model_;
    double weight_seconds_, bytes_per_token_;
    std::unordered_map<u64, double> prefill_;  // FLOP by tokens
};

}  // namespace kv
