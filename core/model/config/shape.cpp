#include "core/model/config/config.hpp"

namespace kv {

ModelShape shape_of(const ModelConfig& config) {
    ModelShape s;
    s.name = s.title = config.name;
    s.cache.n_kv_heads = config.n_kv_heads;
    s.cache.d_k = config.head_dim;
    s.cache.d_v = config.v_head_dim;
    for (u64 layer = 0; layer < config.n_layers; ++layer) {
        if (config.latent) {
            s.cache.layers.push_back(
                LatentCache{.d_c = config.latent->d_c, .d_rope = config.latent->d_rope});
        } else if (config.sliding_layers[layer]) {
            s.cache.layers.push_back(WindowCache{*config.sliding_window});
        } else {
            s.cache.layers.push_back(FullCache{});
        }
    }
    s.n_heads = config.n_heads;
    s.hidden_size = config.hidden_size;
    s.intermediate_size = config.intermediate_size;
    s.vocab_size = config.vocab_size;
    s.max_positions = config.max_positions;
    s.tied_embeddings = config.tied_embeddings;
    s.qkv_bias = config.qkv_bias;
    s.o_bias = config.o_bias;
    s.mlp_bias = config.mlp_bias;
    s.qk_norm = config.qk_norm;
    s.latent = config.latent;
    s.experts = config.experts;
    s.weight_type = config.weight_type;
    return s;
}

}  // namespace kv
