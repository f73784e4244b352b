#pragma once
// What a pool would have done for a recording: how many tokens of the prompts it would have found,
// how many would have been computed, and what it would have given up.

#include <vector>

#include "core/whatif/stack.hpp"

namespace kv {

struct PoolOutcome {
    u64 asked_tokens = 0;     // of prompts, in whole blocks where nothing else is known
    u64 hit_tokens = 0;       // found, those of the host tier included
    u64 host_hit_tokens = 0;  // found in the host tier
    u64 again_tokens = 0;     // computed, though they had been stored before
    u64 blocks_reclaimed = 0;
    // By request, in the order of the streams: how much of each prompt was found, and where.
    struct Request {
        u64 hit_tokens, host_hit_tokens;
        friend bool operator==(const Request&, const Request&) = default;
    };
    std::vector<Request> requests;

    u64 computed_tokens() const { return asked_tokens - hit_tokens; }
    double hit_rate() const {
        if (asked_tokens == 0) return 0;
        return static_cast<double>(hit_tokens) / static_cast<double>(asked_tokens);
    }
    friend bool operator==(const PoolOutcome&, const PoolOutcome&) = default;
};

// What a pool does that gives up what was not used for longest, from the one pass. A pool of 0
// blocks finds nothing.
PoolOutcome outcome_of(const Recording& recording, const StackDepths& depths, u64 pool_blocks);
// What a pool does that never has to give up anything.
PoolOutcome outcome_without_end(const Recording& recording, const StackDepths& depths);

// The smallest pool that finds at least `share` of what a pool without end finds.
u64 smallest_pool_reaching(const Recording& recording, const StackDepths& depths, double share);
// Blocks of the largest stream that are ever stored: no pool can use more.
u64 blocks_without_end(const StackDepths& depths);

// Tokens of a request's prompt that so many of its first blocks hold.
u64 tokens_of_hits(const Recording& recording, const BlockAsk& ask, u64 n_blocks);

}  // namespace kv
