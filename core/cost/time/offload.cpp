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

Derived derive_transfer(u64 blocks, u64 bytes_per_block, double bandwidth) {
    const u64 bytes = product_or_throw("the bytes to move", {blocks, bytes_per_block});
    return {"transfer_s",
            "blocks * bytes_per_block / bandwidth",
            Value{transfer_seconds(bytes, bandwidth)},
            "s",
            "time to move the blocks",
            {whole_operand("blocks", blocks, "blocks", "blocks to move"),
             whole_operand("bytes_per_block", bytes_per_block, "B", "one block of every layer"),
             real_operand("bandwidth", bandwidth, "B/s", "bandwidth of the link")}};
}

Derived derive_recompute(const ModelShape& shape, u64 tokens, double flops) {
    return {"recompute_s",
            "2 * parameters * tokens / flops",
            Value{recompute_seconds(shape, tokens, flops, AttentionWork::LeftOut)},
            "s",
            "time to compute the tokens again, quadratic attention left out",
            {whole_operand("parameters", parameter_count(shape), "", "numbers in the weights"),
             whole_operand("tokens", tokens, "tokens", "tokens to compute again"),
             real_operand("flops", flops, "FLOP/s", "arithmetic that the device reaches")}};
}

}  // namespace kv
