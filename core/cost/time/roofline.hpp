#pragma once
// The roof of a machine, and how often attention uses a byte under it. What a decode step must
// move, and the time of its two large reads at full bandwidth: all weights once, the whole cache
// once. A batch right of the ridge takes longer; experts that it does not touch and prefixes that
// sequences share can make it shorter; otherwise it is a lower bound.

#include <vector>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

// Bytes of one decode step by source.
struct StepBytes {
    u64 weights = 0;
    u64 kv_read = 0;
    u64 kv_write = 0;      // the new token's vectors
    u64 block_tables = 0;  // 4 bytes an entry
    u64 logits = 0;        // 4 bytes a token of the vocabulary
    u64 total() const;
};
StepBytes decode_bytes(const ModelShape& shape, const CodecPair& codecs, u64 kv_len, u64 batch,
                       u64 block_size);

// FLOP per byte of decode attention: how often each cached byte is used.
double attention_intensity(const CacheShape& shape, u64 n_heads, const CodecPair& codecs);
// The roof: the FLOP/s that work of that intensity reaches, min(peak_flops, intensity * bandwidth).
// Left of the ridge (derive_ridge) memory sets it, right of it the arithmetic. An H100 with 989
// TFLOP/s and 3.35 TB/s has its ridge at 295 FLOP/B; decode attention of Llama 3 8B in bf16, whose
// four query heads of a group use each byte, stands at 4 and reaches 13.4 TFLOP/s.
double attainable_flops(double intensity, double peak_flops, double bandwidth);

struct StepTime {
    double weight_seconds = 0, kv_seconds = 0;
    double seconds() const { return weight_seconds + kv_seconds; }
};
StepTime step_time(u64 weight_bytes, u64 kv_bytes, double bandwidth);

// Resident tokens at which the cache has the size of the weights, rounded down.
u64 crossover_tokens(u64 weight_bytes, u64 bytes_per_token);
// Batch at which a step reads as much cache as weights.
double crossover_batch(u64 weight_bytes, u64 sequence_bytes);
// The first batch at which the cache exceeds the weights.
u64 smallest_batch_above(u64 weight_bytes, u64 sequence_bytes);

// A read that is part of a longer step: its share, and the bandwidth that it needs on average.
struct ReadShare {
    double read_seconds, share, mean_bandwidth;
};
ReadShare read_share(u64 bytes, double bandwidth, double other_seconds);

std::vector<Derived> derive_intensity(const CacheShape& shape, u64 n_heads,
                                      const CodecPair& codecs);
Derived derive_ridge(double flops, double bandwidth);
Derived derive_step_time(u64 weight_bytes, u64 kv_bytes, double bandwidth);  // "step_time_s"
// "first_token_s": the prompt's pass, by its arithmetic or by one reading of the weights.
Derived derive_first_token(u64 prefill_flops, u64 weight_bytes, double flops, double bandwidth);
Derived derive_kv_share(u64 weight_bytes, u64 kv_bytes);
Derived derive_crossover_tokens(u64 weight_bytes, u64 bytes_per_token);

}  // namespace kv
