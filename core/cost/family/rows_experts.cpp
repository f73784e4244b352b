// Families whose MLP is a mixture of experts, and those that keep a latent vector (MLA).
#include "core/cost/family/rows.hpp"

namespace kv {

const std::vector<FamilyRow>& expert_family_rows() {
    static const std::vector<FamilyRow> rows{
        {"mixtral", "mistral", "num_experts_per_tok=2 num_local_experts=8 sliding_window=null",
         R"(has_experts = 1)"},
        {"minimax_m2", "mixtral",
         "vocab_size=200064 hidden_size=3072 intermediate_size=1536 num_hidden_layers=62 "
         "num_attention_heads=48 head_dim=128 max_position_embeddings=196608 "
         "num_experts_per_tok=8 num_local_experts=256",
         R"(usual_layer = 'full_attention'
            head_norms = (heads + kv_heads) * head_dim)"},
        {"qwen2_moe", "qwen2",
         "hidden_size=2048 intermediate_size=5632 num_hidden_layers=24 num_attention_heads=16 "
         "num_key_value_heads=16 decoder_sparse_step=1 moe_intermediate_size=1408 "
         "shared_expert_intermediate_size=5632 num_experts_per_tok=4 num_experts=60 qkv_bias=1",
         R"(q_bias = qkv_bias
            usual_layer = if(slides * ((i + 1) % 2) * (i < max_window_layers), 'sliding_attention', 'full_attention')
            has_experts = (experts > 0) * (holds(mlp_only_layers, i) == 0) * ((i + 1) % decoder_sparse_step == 0)
            expert_width = moe_intermediate_size
            shared_width = shared_expert_intermediate_size
            beside_experts = shared_width * matrices * hidden + (experts + 1) * hidden)"},
        {"qwen3_moe", "qwen3",
         "hidden_size=2048 intermediate_size=6144 num_hidden_layers=24 num_key_value_heads=4 "
         "decoder_sparse_step=1 moe_intermediate_size=768 num_experts_per_tok=8 "
         "num_experts=128 head_dim=null",
         R"(usual_layer = if(slides, 'sliding_attention', 'full_attention')
            has_experts = (experts > 0) * (holds(mlp_only_layers, i) == 0) * ((i + 1) % decoder_sparse_step == 0)
            expert_width = moe_intermediate_size)"},
        {"olmoe", "olmo2",
         "hidden_size=2048 intermediate_size=2048 num_hidden_layers=16 num_attention_heads=16 "
         "max_position_embeddings=4096 num_experts_per_tok=8 num_experts=64",
         R"(has_experts = 1)"},
        {"gpt_oss", "decoder",
         "num_hidden_layers=36 num_local_experts=128 vocab_size=201088 hidden_size=2880 "
         "intermediate_size=2880 head_dim=64 num_attention_heads=64 num_key_value_heads=8 "
         "sliding_window=128 max_position_embeddings=131072 num_experts_per_tok=4 "
         "attention_bias=1",
         R"(usual_layer = if((i + 1) % 2, 'sliding_attention', 'full_attention')
            active = experts_per_token | num_experts_per_tok
            head_norms = heads
            has_experts = 1
            expert_biases = 2 * expert_width + hidden
            expert_small = experts)"},
        {"phimoe", "decoder",
         "vocab_size=32064 hidden_size=4096 intermediate_size=6400 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=8 max_position_embeddings=131072 "
         "num_experts_per_tok=2 num_local_experts=16",
         R"(has_experts = 1
            norm = 2 * hidden
            head_small = if(lm_head_bias | 0, vocab, 0))"},
        {"granitemoe", "granite", "num_local_experts=8 num_experts_per_tok=2",
         R"(has_experts = 1)"},
        {"llama4_text", "decoder",
         "vocab_size=202048 hidden_size=5120 intermediate_size=8192 intermediate_size_mlp=16384 "
         "num_hidden_layers=48 num_attention_heads=40 num_key_value_heads=8 head_dim=128 "
         "max_position_embeddings=131072 num_experts_per_tok=1 num_local_experts=16 "
         "interleave_moe_layer_step=1 no_rope_layer_interval=4 attention_chunk_size=8192",
         R"(turns = at(no_rope_layers, i) | ((i + 1) % no_rope_layer_interval != 0)
            usual_layer = if(turns * has(attention_chunk_size), 'chunked_attention', 'full_attention')
            width = intermediate_size_mlp
            has_experts = if(has(moe_layers), holds(moe_layers, i), (i + 1) % interleave_moe_layer_step == 0)
            shared_width = intermediate_size)"},
        {"glm4_moe", "decoder",
         "vocab_size=151552 hidden_size=4096 intermediate_size=10944 num_hidden_layers=46 "
         "num_attention_heads=96 num_key_value_heads=8 max_position_embeddings=131072 "
         "moe_intermediate_size=1408 num_experts_per_tok=8 n_shared_experts=1 "
         "n_routed_experts=128 first_k_dense_replace=1 use_qk_norm=0",
         R"(o_bias = 0
            head_norms = if(use_qk_norm, 2 * head_dim, 0)
            experts = n_routed_experts | num_local_experts
            has_experts = i >= first_k_dense_replace
            expert_width = moe_intermediate_size
            shared_width = n_shared_experts * moe_intermediate_size)"},
        {"deepseek_v3", "decoder",
         "vocab_size=129280 hidden_size=7168 intermediate_size=18432 moe_intermediate_size=2048 "
         "num_hidden_layers=61 num_attention_heads=128 num_key_value_heads=128 "
         "n_shared_experts=1 n_routed_experts=256 kv_lora_rank=512 q_lora_rank=1536 "
         "qk_rope_head_dim=64 v_head_dim=128 qk_nope_head_dim=128 num_experts_per_tok=8 "
         "first_k_dense_replace=3 max_position_embeddings=4096 moe_layer_freq=1",
         R"(usual_layer = 'full_attention'
            latent = kv_lora_rank
            latent_rope = qk_rope_head_dim
            nope = qk_nope_head_dim
            key_dim = nope + latent_rope
            value_dim = v_head_dim
            kv_heads = heads
            kv_numbers = 0
            query = if(has(q_lora_rank), hidden * q_lora_rank + q_lora_rank * q_width, hidden * q_width)
            attention_in = query + hidden * (latent + latent_rope) + latent * heads * (nope + value_dim)
            q_small = if(has(q_lora_rank), q_lora_rank, 0)
            attention_small = q_small + latent + if(q_bias, q_small + latent + latent_rope + hidden, 0)
            experts = n_routed_experts | num_local_experts | num_experts | 0
            sparse = if(has(mlp_layer_types), in(at(mlp_layer_types, i), 'sparse'), (i >= first_k_dense_replace) * (i % moe_layer_freq == 0))
            has_experts = (experts > 0) * sparse
            expert_width = moe_intermediate_size
            shared_width = (n_shared_experts | 0) * moe_intermediate_size)"},
        {"deepseek_v2", "deepseek_v3",
         "vocab_size=102400 hidden_size=4096 intermediate_size=11008 num_hidden_layers=32 "
         "num_attention_heads=32 first_k_dense_replace=0 n_routed_experts=64 n_shared_experts=2 "
         "moe_intermediate_size=1407 max_position_embeddings=2048 num_experts_per_tok=6",
         ""},
        {"kimi_k2", "deepseek_v3", "n_routed_experts=384", ""},
        {"deepseek_v32", "deepseek_v3",
         "max_position_embeddings=163840 index_head_dim=128 index_n_heads=64",
         R"(index_dim = index_head_dim
            attention_in = query + hidden * (latent + latent_rope) + latent * heads * (nope + value_dim) + q_lora_rank * index_n_heads * index_dim + hidden * (index_dim + index_n_heads)
            attention_small = q_small + latent + 2 * index_dim + if(q_bias, q_small + latent + latent_rope + hidden, 0))"},
        {"glm4_moe_lite", "deepseek_v3",
         "vocab_size=154880 hidden_size=2048 intermediate_size=10240 moe_intermediate_size=1536 "
         "num_hidden_layers=47 num_attention_heads=20 n_routed_experts=64 q_lora_rank=768 "
         "v_head_dim=256 qk_nope_head_dim=192 num_experts_per_tok=4 first_k_dense_replace=1 "
         "max_position_embeddings=202752",
         ""},
    };
    return rows;
}

}  // namespace kv
