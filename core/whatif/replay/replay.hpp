#pragma once
// A recording through our own books, one request after the other: it looks for its prefix, takes
// blocks for the rest, stores them and gives them back, all by the Cache that the engine uses. Any
// order of eviction, and a host tier below. Where the order is "lru" and there is no tier, the one
// pass (stack.hpp) must say the same, whatever the pool's size.

#include "core/whatif/outcome.hpp"
#include "core/whatif/replay/orders.hpp"

namespace kv {

struct ReplayRules {
    u64 pool_blocks = 0;  // full blocks; the one that a request is filling comes on top
    ReplayOrder order = replay_orders().front();
    u64 host_blocks = 0;  // 0: what is given up is lost
};

inline constexpr u64 kMostReplayedBlocks = 50'000'000;

// `done` in [0, 1]; false stops the work, and nothing comes back. A chain that is longer than the
// pool is kept as far as the pool reaches.
std::optional<PoolOutcome> replay(const Recording& recording, const ReplayRules& rules,
                                  const WhatIfProgress& progress = {});

}  // namespace kv
