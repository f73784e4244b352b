#pragma once
// Floating-point operations of prefill and decode, split by the matrix that causes them, and the
// counts behind them: positions that go through the layers, (query, visible key) pairs. One
// multiply-add is 2 FLOP. Softmax, norms, rotations and sampling are left out.

#include <optional>
#include <vector>

#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

struct FlopParts {
    u64 qkv = 0;     // projections to queries, keys and values (MLA: to the latent, and absorbed)
    u64 scores = 0;  // queries with keys
    u64 sum_of_values = 0;  // weighted by attention
    u64 o = 0;
    u64 mlp = 0;
    u64 lm_head = 0;
    u64 attention() const;  // scores + sum of values: the only part that grows with the tokens
    u64 total() const;
    bool operator==(const FlopParts&) const = default;
};

// One decode step: `batch` sequences, each of `kv_len` tokens with the new one.
FlopParts decode_flops(const ModelShape& shape, u64 kv_len, u64 batch);
// One pass over a prompt; the head is applied to the last position only.
FlopParts prefill_flops(const ModelShape& shape, u64 prompt, u64 batch);

// FLOP for one (query position, key) pair in one layer.
u64 score_flops_per_pair(const ModelShape& shape);
u64 value_flops_per_pair(const ModelShape& shape);

// Keys that the newest query of `kv_len` tokens sees, summed over the layers; and (query, key)
// pairs of a causal pass over `tokens`, likewise.
u64 visible_keys(const CacheShape& shape, u64 kv_len);
u64 causal_pairs(u64 tokens, std::optional<u64> window = std::nullopt);
u64 visible_pairs(const CacheShape& shape, u64 tokens);

// Positions that go through the layers to produce `new_tokens` after a prompt. The first new token
// comes out of the prompt's own pass, and the last one is never fed back.
u64 positions_without_cache(u64 prompt, u64 new_tokens);
u64 positions_with_cache(u64 prompt, u64 new_tokens);

// K and V projections of positions 1..steps when every step starts over: 2 FLOP x width x
// positions.
u64 kv_projection_flops(const ModelShape& shape, u64 positions);
u64 repeated_positions(u64 steps);  // steps (steps + 1) / 2

// Length at which a decode step spends as much on attention as on the layers' matrices.
double flop_crossover_tokens(const ModelShape& shape);

std::vector<Derived> derive_decode_flops(const ModelShape& shape, u64 kv_len, u64 batch);
Derived derive_prefill_flops(const ModelShape& shape, u64 prompt, u64 batch);
Derived derive_flop_crossover(const ModelShape& shape);

}  // namespace kv
