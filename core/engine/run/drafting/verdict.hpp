#pragma once
// What a pass says about a draft. Row i of its logits is the target's word on what comes behind i
// accepted proposals; judging ends at the first proposal that is not the target's, or at the end of
// the text.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/run/request/sampler.hpp"
#include "core/trace/event/parts.hpp"

namespace kv {

struct Proposal {
    std::string source;
    std::vector<std::uint32_t> tokens;
    // What each was drawn from; empty where it was not drawn (a look back, or greedy): q = 1.
    std::vector<std::vector<double>> q;
    std::optional<std::uint64_t> from;  // where a look back found it
    std::uint32_t passes = 0;           // of a draft model
    std::uint64_t flops = 0, bytes_read = 0;
    double us = 0;
};

struct DrawnToken {
    std::uint32_t token;
    std::optional<Finish> ends;  // the text, with this token
};

// accepted + struck + those behind, which nobody judged = proposed. The papers call the struck one
// rejected: it is the first that the target does not say.
struct DraftVerdict {
    std::uint32_t accepted = 0, struck = 0;  // struck: 0 or 1
    std::vector<DrawnToken> tokens;  // the accepted, then the target's own unless the text ended
};

// The request that draws, and where: its draws depend on seed, request and position alone.
struct DrawsFor {
    const Sampling& sampling;
    std::uint64_t request;
    std::uint64_t position;  // of the first proposal
};
// Whether the text ends with a token; asked of each token in turn.
using EndsWith = std::function<std::optional<Finish>(std::uint32_t token)>;

// rows: (k + 1, vocab_size).
DraftVerdict judge(const Proposal& proposal, std::span<const float> rows, std::size_t vocab_size,
                   const DrawsFor& who, const EndsWith& ends);

// Draws a token of a draft model's proposal, from a stream of its own.
std::uint32_t draw_proposal(std::span<const double> q, const Sampling& sampling,
                            std::uint64_t request, std::uint64_t position);

}  // namespace kv
