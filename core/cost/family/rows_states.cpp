// Families whose layers, some or all, keep a state of fixed size: Mamba, linear attention, short
// convolutions, RWKV.
#include "core/cost/family/rows.hpp"

namespace kv {

const std::vector<FamilyRow>& state_family_rows() {
    static const std::vector<FamilyRow> rows{
        // Mamba 2 (arXiv 2405.21060): a convolution over the newest `kernel` inputs and a matrix of
        // head x state numbers per head, kept in 32 bits.
        {"mamba2_mixer", "decoder", "",
         R"(inner = mamba_expand * hidden
            ssm_heads = mamba_n_heads
            ssm_head = floor(inner / ssm_heads)
            ssm_state = mamba_d_state
            ssm_groups = mamba_n_groups
            kernel = mamba_d_conv
            conv_bias = mamba_conv_bias
            in_bias = mamba_proj_bias
            out_bias = in_bias
            ssm_norm = inner
            conv_width = inner + 2 * ssm_groups * ssm_state
            in_width = inner + conv_width + ssm_heads
            state_in = hidden * in_width
            state_out = inner * hidden
            state_small = conv_width * kernel + if(conv_bias, conv_width, 0) + if(in_bias, in_width, 0) + if(out_bias, hidden, 0) + 3 * ssm_heads + ssm_norm
            state_bytes = conv_width * kernel * element_bytes + inner * ssm_state * 4)"},
        // Mamba (arXiv 2312.00752).
        {"mamba_mixer", "decoder", "",
         R"(inner = mamba_expand * hidden
            ssm_state = mamba_d_state
            kernel = mamba_d_conv
            conv_bias = mamba_conv_bias
            in_bias = mamba_proj_bias
            rank = if(in(mamba_dt_rank, 'auto'), ceil(hidden / 16), mamba_dt_rank | ceil(hidden / 16))
            step_norms = 0
            state_in = hidden * 2 * inner + inner * (rank + 2 * ssm_state) + rank * inner
            state_out = inner * hidden
            state_small = inner * kernel + if(conv_bias, inner, 0) + if(in_bias, 2 * inner + hidden, 0) + inner * (ssm_state + 2) + step_norms
            state_bytes = inner * kernel * element_bytes + inner * ssm_state * 4)"},
        {"mamba", "mamba_mixer",
         "vocab_size=50280 hidden_size=768 state_size=16 num_hidden_layers=32 expand=2 "
         "conv_kernel=4 use_bias=0 use_conv_bias=1 tie_word_embeddings=1",
         R"(heads = 1
            usual_layer = 'linear_attention'
            inner = expand * hidden
            ssm_state = state_size
            kernel = conv_kernel
            conv_bias = use_conv_bias
            in_bias = use_bias
            rank = if(in(time_step_rank, 'auto'), ceil(hidden / 16), time_step_rank | ceil(hidden / 16))
            width = 0
            norms = norm)"},
        {"falcon_mamba", "mamba", "", ""},
        {"mamba2", "mamba2_mixer",
         "num_heads=128 head_dim=64 vocab_size=32768 hidden_size=4096 state_size=128 "
         "num_hidden_layers=64 expand=2 conv_kernel=4 n_groups=8 use_bias=0 use_conv_bias=1",
         R"(heads = 1
            usual_layer = 'linear_attention'
            inner = expand * hidden
            ssm_heads = num_heads
            ssm_state = state_size
            ssm_groups = n_groups
            kernel = conv_kernel
            conv_bias = use_conv_bias
            in_bias = use_bias
            width = 0
            norms = norm)"},
        {"jamba", "mamba_mixer",
         "vocab_size=65536 hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=8 max_position_embeddings=262144 "
         "num_experts_per_tok=2 num_experts=16 expert_layer_period=2 expert_layer_offset=1 "
         "attn_layer_period=8 attn_layer_offset=4 mamba_d_state=16 mamba_d_conv=4 "
         "mamba_expand=2 mamba_conv_bias=1 mamba_proj_bias=0",
         R"(layer = if(i % attn_layer_period == attn_layer_offset, 'attention', 'mamba')
            q_bias = 0
            step_norms = rank + 2 * ssm_state
            has_experts = (experts > 1) * (i % expert_layer_period == expert_layer_offset))"},
        {"bamba", "mamba2_mixer",
         "vocab_size=128000 hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=8 max_position_embeddings=262144 "
         "mamba_n_heads=128 mamba_n_groups=1 mamba_d_state=256 mamba_d_conv=4 mamba_expand=2 "
         "mamba_conv_bias=1 mamba_proj_bias=0",
         R"(layer = if(holds(attn_layer_indices, i), 'attention', 'mamba'))"},
        {"granitemoehybrid", "mamba2_mixer",
         "vocab_size=32000 hidden_size=4096 intermediate_size=11008 num_hidden_layers=32 "
         "num_attention_heads=32 num_local_experts=8 num_experts_per_tok=2 "
         "shared_intermediate_size=1024 mamba_n_heads=128 mamba_n_groups=1 mamba_d_state=256 "
         "mamba_d_conv=4 mamba_expand=2 mamba_conv_bias=1 mamba_proj_bias=0",
         R"(usual_layer = 'mamba'
            has_experts = experts > 0
            width = shared_intermediate_size
            shared_width = shared_intermediate_size)"},
        {"falcon_h1", "mamba2_mixer",
         "vocab_size=128000 hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=8 max_position_embeddings=8192 "
         "mamba_d_ssm=1024 mamba_n_heads=128 mamba_n_groups=1 mamba_d_state=256 mamba_d_conv=4 "
         "mamba_expand=2 mamba_conv_bias=1 mamba_proj_bias=0 mamba_rms_norm=0 "
         "projectors_bias=0",
         R"(layer = 'hybrid'
            inner = mamba_d_ssm | mamba_expand * hidden
            out_bias = projectors_bias
            ssm_norm = if(mamba_rms_norm, inner, 0))"},
        {"nemotron_h", "mamba2_mixer",
         "vocab_size=131072 hidden_size=4096 num_attention_heads=32 num_key_value_heads=8 "
         "head_dim=128 max_position_embeddings=4096 intermediate_size=21504 ssm_state_size=128 "
         "mamba_num_heads=128 mamba_head_dim=64 n_groups=8 conv_kernel=4 use_conv_bias=1 "
         "n_routed_experts=8 n_shared_experts=1 moe_intermediate_size=7688 "
         "moe_shared_expert_intermediate_size=7688 num_experts_per_tok=2 use_bias=0 "
         "layers_block_type=linear_attention,moe,full_attention,mlp",
         R"(layers = if(has(hybrid_override_pattern), length(hybrid_override_pattern), length(layer_types) | length(layers_block_type))
            layer = at(hybrid_override_pattern, i) | at(layer_types, i) | at(layers_block_type, i)
            q_bias = 0
            inner = mamba_num_heads * mamba_head_dim
            ssm_heads = mamba_num_heads
            ssm_state = ssm_state_size
            ssm_groups = mamba_n_groups | n_groups
            kernel = mamba_d_conv | conv_kernel
            conv_bias = mamba_conv_bias | use_conv_bias
            in_bias = use_bias
            matrices = 2
            tied = 0
            experts = n_routed_experts
            expert_width = moe_intermediate_size
            shared_width = moe_shared_expert_intermediate_size
            expert_small = if(mlp_biased, shared_width + hidden, 0)
            has_experts = in(layer, 'moe', 'E')
            has_mlp = in(layer, 'mlp', '-', 'moe', 'E')
            mlp = if(has_mlp, matrices * hidden * width, 0)
            mlp_small = if(has_mlp * mlp_biased, width + hidden, 0)
            norms = norm)"},
        // Every layer is a Mamba 2 mixer; before some stands one of a few transformer blocks that
        // they share, which sees the layer's input beside the token's embedding.
        {"zamba2", "mamba2_mixer",
         "vocab_size=32000 hidden_size=2560 num_hidden_layers=54 num_attention_heads=32 "
         "max_position_embeddings=4096 mamba_d_state=64 mamba_d_conv=4 mamba_expand=2 "
         "mamba_ngroups=1 n_mamba_heads=8 use_conv_bias=1 add_bias_linear=0 num_mem_blocks=1 "
         "use_shared_attention_adapter=0 adapter_rank=128 tie_word_embeddings=1 "
         "layers_block_type=linear_attention*6,hybrid,linear_attention*5,hybrid,linear_attention*5,"
         "hybrid,linear_attention*5,hybrid,linear_attention*5,hybrid,linear_attention*5,hybrid,"
         "linear_attention*5,hybrid,linear_attention*4,hybrid,linear_attention*3,hybrid,"
         "linear_attention*2",
         R"(layer = if(has(hybrid_layer_ids), if(holds(hybrid_layer_ids, i), 'hybrid', 'mamba'), at(layers_block_type, i))
            hybrids = if(has(hybrid_layer_ids), length(hybrid_layer_ids), count(layers_block_type, 'hybrid'))
            ssm_heads = n_mamba_heads
            ssm_groups = mamba_ngroups
            conv_bias = 1
            in_bias = add_bias_linear
            recurs = 1
            head_dim = 2 * hidden / heads
            width = intermediate_size | 4 * hidden
            kv_numbers = 0
            attention_in = hidden * hidden
            attention_out = 0
            attention_small = 0
            mlp = 0
            mlp_small = 0
            norms = norm
            block = 2 * hidden * (q_width + kv_width) + q_width * hidden + 3 * width * hidden + if(add_bias_linear, 2 * width + hidden, 0) + 3 * hidden
            adapter = adapter_rank * (hidden + 2 * width) + if(use_shared_attention_adapter, adapter_rank * (6 * hidden + q_width + kv_width), 0)
            once = min(num_mem_blocks, hybrids) * block + hybrids * adapter)"},
        // Gated delta rule (arXiv 2412.06464): a matrix of key x value numbers per value head.
        {"qwen3_next", "decoder",
         "vocab_size=151936 hidden_size=2048 intermediate_size=5632 num_hidden_layers=48 "
         "num_attention_heads=16 num_key_value_heads=2 max_position_embeddings=32768 "
         "head_dim=256 linear_conv_kernel_dim=4 linear_key_head_dim=128 "
         "linear_value_head_dim=128 linear_num_key_heads=16 linear_num_value_heads=32 "
         "decoder_sparse_step=1 moe_intermediate_size=512 shared_expert_intermediate_size=512 "
         "num_experts_per_tok=10 num_experts=512",
         R"(usual_layer = if((i + 1) % (full_attention_interval | 4), 'linear_attention', 'full_attention')
            attention_in = hidden * (2 * q_width + kv_width)
            attention_small = if(q_bias, 2 * q_width + kv_width + hidden, 0) + head_norms
            head_norms = 2 * head_dim
            keys = linear_num_key_heads * linear_key_head_dim
            values = linear_num_value_heads * linear_value_head_dim
            kernel = linear_conv_kernel_dim
            state_in = hidden * (2 * keys + 2 * values + 2 * linear_num_value_heads)
            state_out = values * hidden
            state_small = (2 * keys + values) * kernel + 2 * linear_num_value_heads + linear_value_head_dim
            state_bytes = (2 * keys + values) * kernel * element_bytes + values * linear_key_head_dim * 4
            has_experts = (experts > 0) * (holds(mlp_only_layers, i) == 0) * ((i + 1) % decoder_sparse_step == 0)
            experts = num_experts
            expert_width = moe_intermediate_size
            shared_width = shared_expert_intermediate_size
            beside_experts = shared_width * matrices * hidden + (experts + 1) * hidden)"},
        {"qwen3_5_text", "qwen3_next",
         "vocab_size=248320 hidden_size=4096 intermediate_size=12288 num_hidden_layers=32 "
         "num_key_value_heads=4",
         R"(has_experts = 0)"},
        {"qwen3_5_moe_text", "qwen3_next",
         "vocab_size=248320 num_hidden_layers=40 num_experts_per_tok=8 num_experts=256 "
         "intermediate_size=0",
         R"(has_experts = 1)"},
        // Kimi delta attention (arXiv 2510.26692): a matrix per head, whose decay goes by channel;
        // every fourth layer keeps a latent.
        {"kimi_linear", "deepseek_v3",
         "vocab_size=163840 hidden_size=2304 intermediate_size=9216 moe_intermediate_size=1024 "
         "num_hidden_layers=27 num_attention_heads=32 num_key_value_heads=32 "
         "q_lora_rank=null num_local_experts=256 max_position_embeddings=1048576 "
         "first_k_dense_replace=1 linear_head_dim=128 linear_num_heads=32 "
         "linear_conv_kernel_dim=4",
         R"(positions = model_max_length | max_position_embeddings
            tied = 0
            usual_layer = if(has(linear_attn_config.full_attn_layers), if(holds(linear_attn_config.full_attn_layers, i + 1), 'full_attention', 'linear_attention'), if((i > 0) * (i % 4 == 0), 'full_attention', 'linear_attention'))
            delta_head = linear_attn_config.head_dim | linear_head_dim
            delta_heads = linear_attn_config.num_heads | linear_num_heads
            kernel = linear_attn_config.short_conv_kernel_size | linear_conv_kernel_dim
            deltas = delta_heads * delta_head
            state_in = hidden * (3 * deltas + 2 * delta_head + delta_heads) + 2 * delta_head * deltas
            state_out = deltas * hidden
            state_small = 3 * deltas * kernel + deltas + delta_heads + delta_head
            state_bytes = 3 * deltas * kernel * element_bytes + deltas * delta_head * 4
            experts = num_experts | num_local_experts
            active = num_experts_per_token | num_experts_per_tok
            sparse = if(has(mlp_layer_types), in(at(mlp_layer_types, i), 'sparse'), i >= first_k_dense_replace)
            shared_width = (num_shared_experts | n_shared_experts) * moe_intermediate_size)"},
        // RG-LRU (arXiv 2402.19427): one number per channel, and the newest inputs of a
        // convolution; the layers that attend have a window.
        {"recurrent_gemma", "decoder",
         "vocab_size=256000 hidden_size=2560 intermediate_size=7680 num_hidden_layers=26 "
         "num_attention_heads=10 attention_window_size=2048 conv1d_width=4 "
         "tie_word_embeddings=1 block_types=recurrent,recurrent,attention",
         R"(layer = at(block_types, i % length(block_types))
            windowed = in(layer, 'attention')
            recurs = in(layer, 'recurrent')
            window = attention_window_size
            head_dim = floor(hidden / heads)
            o_bias = 1
            inner = lru_width | hidden
            kernel = conv1d_width
            state_in = 2 * hidden * inner + 2 * inner * floor(inner / heads)
            state_out = inner * hidden
            state_small = 2 * inner + hidden + inner * (kernel + 1) + 3 * inner
            state_bytes = inner * (kernel - 1) * element_bytes + inner * 4
            width = floor(intermediate_size / 2)
            mlp_biased = 1)"},
        // Lightning attention (arXiv 2501.08313): a matrix of head_dim x head_dim numbers per head.
        {"minimax", "mixtral", "",
         R"(usual_layer = if(has(attn_type_list), if(at(attn_type_list, i), 'full_attention', 'linear_attention'), if((i + 1) % 2, 'full_attention', 'linear_attention'))
            state_in = hidden * 4 * heads * head_dim
            state_out = heads * head_dim * hidden
            state_small = heads * head_dim
            state_bytes = heads * head_dim * head_dim * element_bytes)"},
        {"lfm2", "decoder",
         "vocab_size=65536 hidden_size=2560 intermediate_size=12288 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=8 max_position_embeddings=128000 "
         "tie_word_embeddings=1 conv_bias=0 conv_L_cache=3 block_multiple_of=256 "
         "block_ffn_dim_multiplier=1 block_auto_adjust_ff_dim=1",
         R"(tied = tie_embedding | tie_word_embeddings
            usual_layer = if(has(full_attn_idxs), if(holds(full_attn_idxs, i), 'full_attention', 'conv'), 'full_attention')
            given_width = block_ff_dim | intermediate_size
            scaled_width = floor((block_ffn_dim_multiplier | 1) * floor(2 * given_width / 3))
            width = if(block_auto_adjust_ff_dim, block_multiple_of * ceil(scaled_width / block_multiple_of), given_width)
            q_bias = 0
            head_norms = 2 * head_dim
            state_in = 3 * hidden * hidden
            state_out = hidden * hidden
            state_small = hidden * conv_L_cache + if(conv_bias, 5 * hidden, 0)
            state_bytes = hidden * conv_L_cache * element_bytes)"},
        {"lfm2_moe", "lfm2",
         "hidden_size=2048 intermediate_size=7168 moe_intermediate_size=1792 num_dense_layers=2 "
         "num_experts_per_tok=4 num_experts=32",
         R"(width = intermediate_size
            has_experts = i >= num_dense_layers
            expert_width = moe_intermediate_size)"},
        {"rwkv", "decoder",
         "vocab_size=50277 context_length=1024 hidden_size=4096 num_hidden_layers=32",
         R"(heads = 1
            layer = 'linear_attention'
            positions = context_length
            inner = attention_hidden_size | hidden
            width = intermediate_size | 4 * hidden
            state_in = 3 * hidden * inner
            state_out = inner * hidden
            state_small = 2 * inner + 3 * hidden
            state_bytes = 2 * hidden * element_bytes + 3 * inner * 4
            mlp = 2 * hidden * width + hidden * hidden
            mlp_small = 2 * hidden
            norm = 2 * hidden
            once = norm)"},
    };
    return rows;
}

}  // namespace kv
