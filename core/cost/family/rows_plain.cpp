// Families whose layers all attend, to everything or to a window: the plain decoders.
#include "core/cost/family/rows.hpp"

namespace kv {

const std::vector<FamilyRow>& plain_family_rows() {
    static const std::vector<FamilyRow> rows{
        // What a decoder is unless its family says otherwise. Every other row starts from here.
        {"decoder", "", "tie_word_embeddings=0 max_position_embeddings=2048", R"(
            layers      = num_hidden_layers
            hidden      = hidden_size
            heads       = num_attention_heads
            kv_heads    = num_key_value_heads | heads
            head_dim    = head_dim | floor(hidden / heads)
            key_dim     = head_dim
            value_dim   = head_dim
            width       = intermediate_size
            vocab       = vocab_size
            positions   = max_position_embeddings
            tied        = tie_word_embeddings

            # Kinds of layers, in every spelling that published files have.
            layer       = at(layer_types, i) | at(layers_block_type, i) | usual_layer
            usual_layer = if(has(sliding_window), 'sliding_attention', 'full_attention')
            attends     = in(layer, 'full_attention', 'attention', 'indexed_attention', '*', 'sliding_attention', 'chunked_attention', 'hybrid')
            windowed    = in(layer, 'sliding_attention')
            chunked     = in(layer, 'chunked_attention')
            recurs      = in(layer, 'linear_attention', 'mamba', 'M', 'conv', 'hybrid')
            keeps_none  = in(layer, 'mlp', '-', 'moe', 'E')
            window      = sliding_window
            chunk       = attention_chunk_size
            shared      = 0
            latent      = 0
            latent_rope = 0
            index_dim   = 0
            state_bytes = 0

            q_width     = heads * key_dim
            kv_width    = kv_heads * (key_dim + value_dim)
            q_bias      = attention_bias | 0
            kv_bias     = q_bias
            o_bias      = q_bias
            kv_numbers  = if(attends, if(shared, 0, (hidden + kv_bias) * kv_width), 0)
            attention_in    = hidden * (q_width + if(shared, 0, kv_width))
            attention_out   = heads * value_dim * hidden
            attention_small = if(q_bias, q_width, 0) + if(kv_bias, if(shared, 0, kv_width), 0) + if(o_bias, hidden, 0) + head_norms
            head_norms  = 0
            state_in    = 0
            state_out   = 0
            state_small = 0
            mixer_in    = if(attends, attention_in, 0) + if(recurs, state_in, 0)
            mixer_out   = if(attends, attention_out, 0) + if(recurs, state_out, 0)
            mixer_small = if(attends, attention_small, 0) + if(recurs, state_small, 0)
            mixer       = mixer_in + mixer_out + mixer_small

            matrices    = 3
            mlp_biased  = mlp_bias | 0
            mlp         = matrices * hidden * width
            mlp_small   = if(mlp_biased, (matrices - 1) * width + hidden, 0)
            has_experts = 0
            experts     = num_local_experts | num_experts
            active      = num_experts_per_tok
            expert_width = intermediate_size
            shared_width = 0
            expert      = matrices * hidden * expert_width + expert_biases
            expert_biases = 0
            beside_experts = shared_width * matrices * hidden + experts * hidden
            expert_small = 0
            mlp_numbers = if(has_experts, experts * expert + beside_experts, mlp)
            active_numbers = if(has_experts, min(active, experts) * expert + beside_experts, mlp)
            mlp_extra   = if(has_experts, expert_small, mlp_small)
            mlp_whole   = mlp_numbers + mlp_extra

            norm        = hidden
            norms       = 2 * norm
            layer_extra = 0
            layer_norms = norms + layer_extra
            embedding   = vocab * hidden
            last_norm   = norm
            head        = if(tied, 0, vocab * hidden)
            head_small  = 0
            head_whole  = head + head_small
            once        = 0
            note        = '')"},
        {"llama", "decoder",
         "vocab_size=32000 hidden_size=4096 intermediate_size=11008 num_hidden_layers=32 "
         "num_attention_heads=32",
         R"(usual_layer = 'full_attention')"},
        {"mistral", "decoder",
         "vocab_size=32000 hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=8 max_position_embeddings=131072 "
         "sliding_window=4096",
         R"(q_bias = 0)"},
        {"ministral", "mistral", "", ""},
        {"ministral3", "mistral",
         "vocab_size=131072 num_hidden_layers=34 head_dim=128 max_position_embeddings=262144 "
         "sliding_window=null",
         ""},
        {"qwen2", "decoder",
         "vocab_size=151936 hidden_size=4096 intermediate_size=22016 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=32 max_position_embeddings=32768 "
         "use_sliding_window=0 sliding_window=4096 max_window_layers=28",
         R"(q_bias = 1
            o_bias = 0
            slides = use_sliding_window * has(sliding_window)
            usual_layer = if(slides * (i >= max_window_layers), 'sliding_attention', 'full_attention'))"},
        {"qwen3", "qwen2", "head_dim=128",
         R"(q_bias = attention_bias | 0
            o_bias = q_bias
            head_norms = 2 * head_dim)"},
        {"gemma", "decoder",
         "vocab_size=256000 hidden_size=3072 intermediate_size=24576 num_hidden_layers=28 "
         "num_attention_heads=16 num_key_value_heads=16 head_dim=256 "
         "max_position_embeddings=8192 tie_word_embeddings=1",
         R"(usual_layer = 'full_attention')"},
        {"gemma2", "gemma",
         "hidden_size=2304 intermediate_size=9216 num_hidden_layers=26 num_attention_heads=8 "
         "num_key_value_heads=4 sliding_window=4096",
         R"(usual_layer = if((i + 1) % 2, 'sliding_attention', 'full_attention')
            norms = 4 * norm)"},
        {"gemma3_text", "gemma2",
         "vocab_size=262208 max_position_embeddings=131072 use_bidirectional_attention=0",
         R"(pattern = sliding_window_pattern | _sliding_window_pattern | 6
            usual_layer = if((i + 1) % pattern, 'sliding_attention', 'full_attention')
            window = if(use_bidirectional_attention | 0, floor(sliding_window / 2) + 1, sliding_window)
            head_norms = 2 * head_dim)"},
        {"gemma3n_text", "gemma3_text",
         "vocab_size=262400 hidden_size=2048 intermediate_size=16384 num_hidden_layers=35 "
         "num_key_value_heads=2 max_position_embeddings=32768 sliding_window=512 "
         "vocab_size_per_layer_input=262144 hidden_size_per_layer_input=256 altup_num_inputs=4 "
         "num_kv_shared_layers=15 laurel_rank=64",
         R"(width = at(intermediate_size, i)
            usual_layer = if((i + 1) % 5, 'sliding_attention', 'full_attention')
            shared = i + num_kv_shared_layers >= layers
            head_norms = if(shared, head_dim, 2 * head_dim)
            streams = altup_num_inputs
            side = hidden_size_per_layer_input
            layer_extra = 2 * side * hidden + hidden + 2 * laurel_rank * hidden + hidden + 2 * hidden + streams * streams + streams * streams * streams + streams * hidden
            once = vocab_size_per_layer_input * layers * side + layers * side * hidden + side + 2 * (streams - 1) * hidden * hidden)"},
        // Its full layers have heads of their own, and where keys serve as values, one projection
        // for both; the cache keeps the two apart all the same.
        {"gemma4_text", "gemma3_text",
         "vocab_size=262144 num_hidden_layers=30 sliding_window=512 global_head_dim=512 "
         "vocab_size_per_layer_input=262144 hidden_size_per_layer_input=256 attention_k_eq_v=0 "
         "num_kv_shared_layers=0 enable_moe_block=0 use_double_wide_mlp=0",
         R"(layer = if(i + 1 == layers, 'full_attention', at(layer_types, i) | usual_layer)
            reaches_all = in(layer, 'full_attention')
            window = if(in(use_bidirectional_attention, 'all'), floor(sliding_window / 2) + 1, sliding_window)
            one_for_both = reaches_all * attention_k_eq_v
            by_kind = has(per_layer_config) == 0
            head_dim = own(head_dim) | if(reaches_all * by_kind, global_head_dim, head_dim)
            kv_heads = own(num_key_value_heads) | if(one_for_both * by_kind, num_global_key_value_heads | num_key_value_heads, num_key_value_heads)
            kv_width = kv_heads * (key_dim + if(one_for_both, 0, value_dim))
            shared = i + num_kv_shared_layers >= layers
            head_norms = if(shared, head_dim, 2 * head_dim)
            width = if(shared * use_double_wide_mlp, 2 * intermediate_size, intermediate_size)
            has_experts = enable_moe_block
            experts = num_experts
            active = top_k_experts
            expert_width = moe_intermediate_size
            beside_experts = mlp + experts * hidden
            expert_small = hidden + experts
            side = hidden_size_per_layer_input | 0
            layer_extra = 2 * side * hidden + if(side, hidden, 0) + if(enable_moe_block, 3 * hidden, 0)
            once = if(side, vocab_size_per_layer_input, 0) * layers * side + layers * side * hidden + side)"},
        {"phi", "decoder",
         "vocab_size=51200 hidden_size=2048 intermediate_size=8192 num_hidden_layers=24 "
         "num_attention_heads=32 qk_layernorm=0",
         R"(usual_layer = 'full_attention'
            q_bias = 1
            matrices = 2
            mlp_biased = 1
            norm = 2 * hidden
            norms = norm
            head_norms = if(qk_layernorm, 4 * head_dim, 0)
            head_small = vocab)"},
        {"phi3", "decoder",
         "vocab_size=32064 hidden_size=3072 intermediate_size=8192 num_hidden_layers=32 "
         "num_attention_heads=32 max_position_embeddings=4096",
         R"(q_bias = 0)"},
        {"olmo", "decoder",
         "vocab_size=50304 hidden_size=4096 intermediate_size=11008 num_hidden_layers=32 "
         "num_attention_heads=32",
         R"(norm = 0)"},
        {"olmo2", "olmo", "",
         R"(norm = hidden
            head_norms = (heads + kv_heads) * head_dim)"},
        {"olmo3", "olmo2", "sliding_window=4096",
         R"(usual_layer = if((i + 1) % 4, 'sliding_attention', 'full_attention'))"},
        {"smollm3", "decoder",
         "vocab_size=128256 hidden_size=2048 intermediate_size=11008 num_hidden_layers=36 "
         "num_attention_heads=16 num_key_value_heads=4 max_position_embeddings=32768 "
         "use_sliding_window=0 no_rope_layer_interval=4 tie_word_embeddings=1",
         R"(turns = at(no_rope_layers, i) | (i + 1) % no_rope_layer_interval
            usual_layer = if(use_sliding_window * has(sliding_window) * (turns == 0), 'sliding_attention', 'full_attention'))"},
        {"granite", "llama", "", ""},
        {"seed_oss", "llama",
         "vocab_size=155136 intermediate_size=27648 num_hidden_layers=64 num_attention_heads=80 "
         "num_key_value_heads=8 head_dim=128 max_position_embeddings=524288 attention_bias=1",
         R"(o_bias = attention_out_bias | 0)"},
        {"ernie4_5", "llama",
         "vocab_size=103424 hidden_size=1024 intermediate_size=3072 num_hidden_layers=18 "
         "num_attention_heads=16 num_key_value_heads=2 head_dim=128 "
         "max_position_embeddings=131072 tie_word_embeddings=1 use_bias=0",
         R"(q_bias = use_bias
            mlp_biased = use_bias)"},
        {"cohere", "decoder",
         "vocab_size=256000 hidden_size=8192 intermediate_size=22528 num_hidden_layers=40 "
         "num_attention_heads=64 max_position_embeddings=8192 tie_word_embeddings=1 "
         "use_qk_norm=0",
         R"(norms = norm
            head_norms = if(use_qk_norm | 0, (heads + kv_heads) * head_dim, 0))"},
        {"cohere2", "cohere", "sliding_window=4096",
         R"(usual_layer = if((i + 1) % (sliding_window_pattern | 4), 'sliding_attention', 'full_attention'))"},
        {"glm", "decoder",
         "vocab_size=151552 hidden_size=4096 intermediate_size=13696 num_hidden_layers=40 "
         "num_attention_heads=32 num_key_value_heads=2 head_dim=128 "
         "max_position_embeddings=131072 attention_bias=1",
         R"(o_bias = 0)"},
        {"glm4", "glm", "", R"(norms = 4 * norm)"},
        {"exaone4", "decoder",
         "vocab_size=102400 hidden_size=4096 intermediate_size=16384 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=32 sliding_window=4096 "
         "sliding_window_pattern=4",
         R"(q_bias = 0
            letters = length(sliding_window_pattern) | 0
            slides = if(letters, in(at(sliding_window_pattern, i % max(letters, 1)), 'L'), (i + 1) % (sliding_window_pattern | 1))
            usual_layer = if(has(sliding_window) * slides, 'sliding_attention', 'full_attention')
            head_norms = 2 * head_dim)"},
        {"starcoder2", "decoder",
         "vocab_size=49152 hidden_size=3072 intermediate_size=12288 num_hidden_layers=30 "
         "num_attention_heads=24 num_key_value_heads=2 max_position_embeddings=4096 use_bias=1 "
         "tie_word_embeddings=1",
         R"(q_bias = use_bias
            matrices = 2
            mlp_biased = use_bias
            norm = 2 * hidden)"},
        {"stablelm", "decoder",
         "vocab_size=50304 intermediate_size=6912 hidden_size=2560 num_hidden_layers=32 "
         "num_attention_heads=32 num_key_value_heads=32 max_position_embeddings=4096 "
         "use_qkv_bias=0 qk_layernorm=0 use_parallel_residual=0",
         R"(q_bias = use_qkv_bias
            o_bias = 0
            norm = 2 * hidden
            norms = if(use_parallel_residual, norm, 2 * norm)
            head_norms = if(qk_layernorm, (heads + kv_heads) * head_dim, 0))"},
        {"nemotron", "decoder",
         "vocab_size=256000 hidden_size=6144 intermediate_size=24576 num_hidden_layers=32 "
         "num_attention_heads=48 head_dim=128 max_position_embeddings=4096",
         R"(matrices = 2
            norm = 2 * hidden)"},
        {"falcon", "decoder",
         "vocab_size=65024 hidden_size=4544 num_hidden_layers=32 num_attention_heads=71 "
         "new_decoder_architecture=0 multi_query=1 parallel_attn=1 bias=0 "
         "tie_word_embeddings=1",
         R"(layers = n_layer | num_hidden_layers
            heads = n_head | num_attention_heads
            hidden = n_embed | hidden_size
            made_heads = if(new_decoder_architecture, num_kv_heads | n_head_kv | heads, if(multi_query, 1, heads))
            # The class repeats the heads of the newer form for every query head, then caches them.
            kv_heads = if(new_decoder_architecture, heads, made_heads)
            kv_width = made_heads * (key_dim + value_dim)
            note = if(made_heads == kv_heads, '', if(new_decoder_architecture, 'The class of this family repeats its KV heads for every query head before it caches them, and so it is priced; a server that keeps num_kv_heads needs less.', ''))
            head_dim = floor(hidden / heads)
            width = ffn_hidden_size | 4 * hidden
            q_bias = bias
            matrices = 2
            mlp_biased = bias
            norm = 2 * hidden
            first_norms = if(new_decoder_architecture, num_ln_in_parallel_attn | 2, 1)
            norms = norm * if(new_decoder_architecture + parallel_attn, first_norms, 2))"},
        {"gpt2", "decoder",
         "vocab_size=50257 n_positions=1024 n_embd=768 n_layer=12 n_head=12 "
         "tie_word_embeddings=1",
         R"(layers = n_layer | num_hidden_layers
            hidden = n_embd | hidden_size
            heads = n_head | num_attention_heads
            kv_heads = heads
            positions = n_positions | max_position_embeddings
            width = n_inner | 4 * hidden
            q_bias = 1
            matrices = 2
            mlp_biased = 1
            norm = 2 * hidden
            embedding = (vocab + positions) * hidden)"},
        {"gpt_neox", "decoder",
         "vocab_size=50432 hidden_size=6144 num_hidden_layers=44 num_attention_heads=64 "
         "intermediate_size=24576 attention_bias=1",
         R"(kv_heads = heads
            matrices = 2
            mlp_biased = 1
            norm = 2 * hidden)"},
        {"bloom", "decoder",
         "vocab_size=250880 hidden_size=64 n_layer=2 n_head=8 "
         "tie_word_embeddings=1",
         R"(layers = n_layer | num_hidden_layers
            heads = n_head | num_attention_heads
            hidden = n_embed | hidden_size
            kv_heads = heads
            width = 4 * hidden
            q_bias = 1
            matrices = 2
            mlp_biased = 1
            norm = 2 * hidden
            once = norm)"},
    };
    return rows;
}

}  // namespace kv
