#pragma once
// The whole bill of a model at once: what `kvarium calc` prints and the panels of a bill unfold.
// Every result is there only if its inputs were given. The names of the results are fixed, scripts
// read them:
//   bytes_per_token bytes_per_block kv_bytes blocks tokens_capacity sequences_capacity fits
//   effective_bits weight_bytes step_time_s kv_share intensity ridge

#include <optional>
#include <string_view>
#include <vector>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/fit.hpp"
#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

struct BillRequest {
    CacheShape cache;
    CodecPair codecs;
    std::optional<u64> n_heads;             // query heads, for the intensity
    std::optional<ModelShape> model;        // for the weights and their parts
    std::optional<u64> given_weight_bytes;  // wins over the model's own
    u64 block_size = 16;
    u64 batch = 1;
    std::optional<u64> tokens;  // per sequence
    std::optional<u64> chunk;   // tokens of a prompt that are computed at once; all of them
    Split split;                // the cards that share the cache; device_bytes is of each
    std::optional<GivenPool> pool;
    std::optional<u64> device_bytes;
    std::optional<Operand> cache_budget;  // of each card, where device and weights do not say it
    std::optional<double> bandwidth;      // B/s
    std::optional<double> flops;          // FLOP/s
};

// Results and everything they unfold into, each after its operands.
std::vector<Derived> make_bill(const BillRequest& request);

// The thirteen names above, in that order.
const std::vector<std::string_view>& bill_names();

}  // namespace kv
