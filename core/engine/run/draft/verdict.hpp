#pragma once
// What a pass says about a draft. Row i of its logits is the target's word on what comes behind i
// accepted proposals; judging ends at the first proposal that is not the target's, or at the end of
// the text.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/run/request/sampler.hpp"
#include "core/trace/event/parts.hpp"

namespace kv {

struct Proposal {
    std::string source;
    std::vector<std::uint32_t> tokens;
    // What each was drawn from; empty where it was not drawn: then it is certain, q = 1.
    std::vector<std::vector<double>> q;
    std::optional<std::uint64_t> from;  // a look back's
    std::uint32_t passes = 0;           // a draft model's
    std::uint64_t flops = 0, bytes_read = 0;
    double us = 0;
};

struct DrawnToken {
    std::uint32_t token;
    std::optional<Finish> ends;  // the text, with this token
};

struct DraftVerdict {
    std::uint32_t accepted = 0, struck = 0;
    std::vector<DrawnToken> tokens;  // the accepted, then the target's own unless the text ended
};

// Who draws, and where: its draws depend on seed, request and position alone.
struct DrawsFor {
    const Sampling& sampling;
    std::uint64_t request;
    std::uint64_t position;  // of the first proposal
};
// Told each token in turn, it says whether the text ends there.
using EndsWith = std::function<std::optional<Finish>(std::uint32_t token)>;

// rows: (k + 1, vocab_size).
DraftVerdict judge(const Proposal& proposal, std::span<const float> rows, std::size_t vocab_size,
                   const DrawsFor& who, const EndsWith& ends);

// A draft model's draw of a proposal, from a stream of its own.
std::uint32_t draw_proposal(std::span<const double> q, const Sampling& sampling,
                            std::uint64_t request, std::uint64_t position);

}  // namespace kv
