#pragma once
// Keep, move or recompute: what it costs to bring cached blocks back. A transfer takes latency plus
// bytes over bandwidth; recomputation takes the FLOP of a prefill at the rate that the device
// really reaches.

#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

double transfer_seconds(u64 bytes, double bandwidth, double latency_seconds = 0);

enum class AttentionWork { LeftOut, Counted };
// LeftOut: 2 FLOP per parameter and token, the usual estimate. Counted: the prefill's own parts.
double recompute_seconds(const ModelShape& shape, u64 tokens, double flops,
                         AttentionWork attention);

enum class Resume { Fetch, Recompute };
Resume cheaper(double fetch_seconds, double recompute_seconds);

}  // namespace kv
