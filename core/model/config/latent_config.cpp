#include "core/model/config/latent_config.hpp"

#include "core/base/files/json.hpp"
#include "core/model/config/refused_file.hpp"

namespace kv {
namespace {

constexpr u64 kLargestRank = 16384;
constexpr u64 kLargestHead = 256;

}  // namespace

void read_latent(Fields& f, ModelConfig& config) {
    LatentProjections p{};
    p.q_rank = f.maybe_whole("q_lora_rank", 1, kLargestRank);
    p.d_c = f.whole("kv_lora_rank", 1, kLargestRank);
    p.nope_dim = f.whole("qk_nope_head_dim", 1, kLargestHead);
    p.d_rope = f.whole("qk_rope_head_dim", 2, kLargestHead);
    p.v_dim = f.whole("v_head_dim", 1, kLargestHead);
    p.bias = f.flag("attention_bias", false);
    if (f.ok() && p.d_rope % 2 != 0) {
        f.refuse_value("qk_rope_head_dim", "is odd, but rotations take pairs", kAsPublished);
    }
    config.head_dim = p.nope_dim + p.d_rope;
    config.v_head_dim = p.v_dim;
    config.latent = p;
}

}  // namespace kv
