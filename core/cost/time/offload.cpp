#include "core/cost/time/offload.hpp"

#include "core/base/error.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/flops.hpp"

namespace kv {

double transfer_seconds(u64 bytes, double bandwidth, double latency_seconds) {
    KV_ASSERT(bandwidth > 0);
    return latency_seconds + static_cast<double>(bytes) / bandwidth;
}

double recompute_seconds(const ModelShape& shape, u64 tokens, double flops,
                         AttentionWork attention) {
    KV_ASSERT(flops > 0);
    const u64 work = attention == AttentionWork::Counted
                         ? prefill_flops(shape, tokens, 1).total()
                         : product_or_throw("the work", {2, parameter_count(shape), tokens});
    return static_cast<double>(work) / flops;
}

Resume cheaper(double fetch_seconds, double recompute_seconds) {
    return fetch_seconds <= recompute_seconds ? Resume::Fetch : Resume::Recompute;
}

}  // namespace kv
