#pragma once
// Every pool size in one pass. A pool that gives up what was not used for longest holds, with n
// blocks, the n blocks used last, whatever n is (Mattson, Gecsei, Slutz and Traiger 1970). So one
// number for each block that is asked for says which pools still have it: its depth in the stack of
// all blocks by last use. A pool of n blocks finds it when the depth is at most n. Four prompts of
// one block each ask for A, B, C and A again. Before the last one the stack is C B A, and A lies at
// depth 3: pools of 3 blocks and more still have it, smaller ones gave it up. Then the stack is
// A C B.
//
// A chain's first block counts as used last, as the free list of vLLM has it; so depths never fall
// along a chain, and what a pool finds of it is its beginning.
//
// One pass makes the depths; outcome_of() (outcome.hpp) walks them once more for each pool size,
// WhatIfStudy::point (study/study.hpp) makes a point of the curve of it, and
// app/live/whatif/weigh.cpp or app/cli/whatif choose which points there are.

#include <functional>
#include <vector>

#include "core/whatif/recording.hpp"

namespace kv {

inline constexpr std::uint32_t kNeverStored = 0xFFFFFFFFu;
inline constexpr u64 kMostReferences = 100'000'000;

// What lies between two moments at which the server forgot everything.
struct StackEpoch {
    std::size_t first_ask;
    u64 distinct;  // blocks that were stored in it
};

struct StackDepths {
    struct Stream {
        std::vector<std::uint32_t> depths;  // of all blocks of all chains, ask by ask
        std::vector<StackEpoch> epochs;
    };
    std::vector<Stream> streams;  // as the recording has them
};

// `done` in [0, 1]; false stops the work, and nothing comes back. Throws kv::Error (World) when
// there are more references than can be held.
using WhatIfProgress = std::function<bool(double done)>;
std::optional<StackDepths> stack_depths(const Recording& recording,
                                        const WhatIfProgress& progress = {});

}  // namespace kv
