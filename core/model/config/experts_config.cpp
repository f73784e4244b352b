#include "core/model/config/experts_config.hpp"

#include "core/base/files/json.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

constexpr u64 kMostExperts = 4096;

}  // namespace

void read_experts(Fields& f, ModelConfig& config) {
    if (!f.has("n_routed_experts")) return;
    Experts e{};
    e.n_routed = f.whole("n_routed_experts", 1, kMostExperts);
    e.n_shared = f.maybe_whole("n_shared_experts", 0, kMostExperts).value_or(0);
    e.n_active = f.whole("num_experts_per_tok", 1, kMostExperts);
    e.intermediate_size = f.whole("moe_intermediate_size", 1, u64{1} << 20U);
    e.first_layer = f.maybe_whole("first_k_dense_replace", 0, kMostExperts).value_or(0);
    e.every = f.maybe_whole("moe_layer_freq", 1, kMostExperts).value_or(1);
    const bool corrected = config.family == Family::DeepSeekV3;
    e.routing_bias =
        f.maybe_text("topk_method").value_or(corrected ? "noaux_tc" : "") == "noaux_tc";
    if (f.ok() && e.n_active > e.n_routed) {
        f.refuse_value("num_experts_per_tok",
                       "is more than n_routed_experts (" + f.value_of("n_routed_experts") + ")",
                       kAsPublished);
    }
    config.experts = e;
}

}  // namespace kv
