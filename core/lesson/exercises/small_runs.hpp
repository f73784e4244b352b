#pragma once
// Short runs of the engine that exercises take their answers from: counters of generations that are
// counted and not computed, and rows of keys and values of a little model with random weights.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/cost/keep.hpp"
#include "core/engine/seam/work.hpp"

namespace kv {

// A prompt and the tokens after it, through the engine's own loop.
Work counted_generation(u64 prompt, u64 new_tokens, Keep keep);

// What the scheduler gives a prompt in each iteration until it is read: first token and how many.
struct PromptChunk {
    u64 first = 0, count = 0;
};
std::vector<PromptChunk> scheduled_chunks(u64 prompt, u64 chunk);

// Positions of a sequence whose keys and values are the same in every layer after the token at
// `edited` was replaced by another one.
u64 surviving_positions(u64 tokens, u64 edited);

// The scores of the newest of `tokens` tokens, as a tap sees them in one layer.
struct ScoreShape {
    u64 heads = 0, rows = 0, keys = 0;
};
struct LittleShape {
    u64 n_layers = 1, n_heads = 1, n_kv_heads = 1;
};
ScoreShape score_shape(const LittleShape& shape, u64 tokens);

}  // namespace kv
