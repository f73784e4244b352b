#include "core/cost/family/presets.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "core/base/error.hpp"
#include "core/cost/family/family.hpp"

namespace kv {

const std::vector<FamilyPreset>& family_presets() {
    // Checked on 2026-11-25: each row, with what its family's row adds, against public copies of
    // the file that `source` names. Sums of parameters are those of the published weights for
    // Gemma 3, GPT-OSS 120B, Mistral Small, OLMo 3, Phi-4, Qwen3-Next and SmolLM3.
    //   NVIDIA aiconfigurator (github.com/ai-dynamo), model_configs: Mixtral, Llama 3.1, 3.3 and 4,
    //     Qwen3, Qwen3-Next (Thinking), Kimi K2, GPT-OSS, DeepSeek-V3.2
    //   LitGPT (github.com/Lightning-AI), config.py: Llama 3.2 3B, Phi-4, Gemma 3 1B to 27B; what
    //     it leaves out of Gemma 3 from huggingface.co/OpenPipe/gemma-3-12b-it-text-only and, for
    //     1B and 270M, vishnurchityala/sql-gemma3 and mariocde/functiongemma-270m-onnx
    //   MaxText (github.com/AI-Hypercomputer), olmo3-7b: OLMo 3 7B, and ollama.com/library/olmo-3
    //   github.com/21-grams/notso-smollm3-bot, shapes of all tensors: SmolLM3; its positions and
    //     kinds of layers from huggingface.co/koutch/0.json_train_grpo_v1_dev
    //   huggingface.co/darkc0de/3.2test: Mistral Small 3.2, which was made from 3.1
    // Checked on 2026-11-26:
    //   LitGPT, config.py: Llama 3.1 70B and 405B (8 KV heads, as its file has it since the repair
    //     of 2024-08), Qwen3 1.7B and 14B; which of these tie their tables: arXiv 2505.09388, table
    //     1
    //   huggingface.co/docs/transformers, falcon_h1, and mlx-community/Falcon-H1-7B-Instruct-4bit:
    //     Falcon-H1 7B; the norm of its mixers and the last row of its table are what the published
    //     weights, 7,585,654,880 numbers, have beyond these
    //   vast.ai/model/gemma-4-26b-a4b-it and apxml.com/models/gemma-4-26b-a4b: Gemma 4 26B-A4B; the
    //     sums are those of its card, 25.2 billion and 3.8 billion active
    //   NVIDIA aiconfigurator, model_configs: Qwen3.5 397B-A17B
    //   the classes' own defaults in transformers 5.24, which are those of the published file, and
    //     its list of attending layers in arXiv 2510.26692: Kimi Linear
    //   huggingface.co/ai21labs/Jamba-v0.1: Jamba 1.5 Mini has its shape; that it has 52 billion
    //     parameters, 12 active, and 4 GB of cache at 256K tokens is in arXiv 2408.12570, table 1
    static const std::vector<FamilyPreset> presets{
        {"mixtral-8x7b", "Mixtral 8x7B", "mistralai/Mixtral-8x7B-v0.1", "2023-12",
         "model_type=mixtral max_position_embeddings=32768"},
        {"llama-3.1-8b", "Llama 3.1 8B", "meta-llama/Llama-3.1-8B", "2024-07",
         "model_type=llama vocab_size=128256 intermediate_size=14336 num_key_value_heads=8 "
         "max_position_embeddings=131072"},
        {"llama-3.1-70b", "Llama 3.1 70B", "meta-llama/Llama-3.1-70B", "2024-07",
         "model_type=llama vocab_size=128256 hidden_size=8192 intermediate_size=28672 "
         "num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
         "max_position_embeddings=131072"},
        {"llama-3.1-405b", "Llama 3.1 405B", "meta-llama/Llama-3.1-405B", "2024-07",
         "model_type=llama vocab_size=128256 hidden_size=16384 intermediate_size=53248 "
         "num_hidden_layers=126 num_attention_heads=128 num_key_value_heads=8 "
         "max_position_embeddings=131072"},
        {"llama-3.2-3b", "Llama 3.2 3B", "meta-llama/Llama-3.2-3B", "2024-09",
         "model_type=llama vocab_size=128256 hidden_size=3072 intermediate_size=8192 "
         "num_hidden_layers=28 num_attention_heads=24 num_key_value_heads=8 head_dim=128 "
         "max_position_embeddings=131072 tie_word_embeddings=1"},
        {"llama-3.3-70b", "Llama 3.3 70B", "meta-llama/Llama-3.3-70B-Instruct", "2024-12",
         "model_type=llama vocab_size=128256 hidden_size=8192 intermediate_size=28672 "
         "num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
         "max_position_embeddings=131072"},
        {"jamba-1.5-mini", "Jamba 1.5 Mini (Mamba and attention)", "ai21labs/AI21-Jamba-1.5-Mini",
         "2024-08", "model_type=jamba"},
        {"phi-4", "Phi-4 14B", "microsoft/phi-4", "2024-12",
         "model_type=phi3 vocab_size=100352 hidden_size=5120 intermediate_size=17920 "
         "num_hidden_layers=40 num_attention_heads=40 num_key_value_heads=10 "
         "max_position_embeddings=16384"},
        {"mistral-small-3.1-24b", "Mistral Small 3.1 24B",
         "mistralai/Mistral-Small-3.1-24B-Base-2503", "2025-03",
         "model_type=mistral vocab_size=131072 hidden_size=5120 intermediate_size=32768 "
         "num_hidden_layers=40 num_attention_heads=32 num_key_value_heads=8 head_dim=128 "
         "sliding_window=null"},
        {"gemma-3-270m", "Gemma 3 270M", "google/gemma-3-270m", "2025-08",
         "model_type=gemma3_text vocab_size=262144 hidden_size=640 intermediate_size=2048 "
         "num_hidden_layers=18 num_attention_heads=4 num_key_value_heads=1 sliding_window=512 "
         "max_position_embeddings=32768"},
        {"gemma-3-1b", "Gemma 3 1B", "google/gemma-3-1b-it", "2025-03",
         "model_type=gemma3_text vocab_size=262144 hidden_size=1152 intermediate_size=6912 "
         "num_hidden_layers=26 num_attention_heads=4 num_key_value_heads=1 sliding_window=512 "
         "max_position_embeddings=32768"},
        {"gemma-3-4b", "Gemma 3 4B, its language model", "google/gemma-3-4b-it", "2025-03",
         "model_type=gemma3_text hidden_size=2560 intermediate_size=10240 num_hidden_layers=34 "
         "sliding_window=1024"},
        {"gemma-3-12b", "Gemma 3 12B, its language model", "google/gemma-3-12b-it", "2025-03",
         "model_type=gemma3_text hidden_size=3840 intermediate_size=15360 num_hidden_layers=48 "
         "num_attention_heads=16 num_key_value_heads=8 sliding_window=1024"},
        {"gemma-3-27b", "Gemma 3 27B, its language model", "google/gemma-3-27b-it", "2025-03",
         "model_type=gemma3_text hidden_size=5376 intermediate_size=21504 num_hidden_layers=62 "
         "num_attention_heads=32 num_key_value_heads=16 head_dim=128 sliding_window=1024"},
        {"llama-4-scout", "Llama 4 Scout 17B-16E, its language model",
         "meta-llama/Llama-4-Scout-17B-16E-Instruct", "2025-04",
         "model_type=llama4_text max_position_embeddings=10485760"},
        {"llama-4-maverick", "Llama 4 Maverick 17B-128E, its language model",
         "meta-llama/Llama-4-Maverick-17B-128E-Instruct", "2025-04",
         "model_type=llama4_text num_local_experts=128 interleave_moe_layer_step=2 "
         "max_position_embeddings=1048576"},
        {"qwen3-1.7b", "Qwen3 1.7B", "Qwen/Qwen3-1.7B", "2025-04",
         "model_type=qwen3 hidden_size=2048 intermediate_size=6144 num_hidden_layers=28 "
         "num_attention_heads=16 num_key_value_heads=8 max_position_embeddings=40960 "
         "tie_word_embeddings=1"},
        {"qwen3-8b", "Qwen3 8B", "Qwen/Qwen3-8B", "2025-04",
         "model_type=qwen3 hidden_size=4096 intermediate_size=12288 num_hidden_layers=36 "
         "num_attention_heads=32 num_key_value_heads=8 max_position_embeddings=40960"},
        {"qwen3-14b", "Qwen3 14B", "Qwen/Qwen3-14B", "2025-04",
         "model_type=qwen3 hidden_size=5120 intermediate_size=17408 num_hidden_layers=40 "
         "num_attention_heads=40 num_key_value_heads=8 max_position_embeddings=40960"},
        {"qwen3-32b", "Qwen3 32B", "Qwen/Qwen3-32B", "2025-04",
         "model_type=qwen3 hidden_size=5120 intermediate_size=25600 num_hidden_layers=64 "
         "num_attention_heads=64 num_key_value_heads=8 max_position_embeddings=40960"},
        {"qwen3-30b-a3b", "Qwen3 30B-A3B", "Qwen/Qwen3-30B-A3B", "2025-04",
         "model_type=qwen3_moe num_hidden_layers=48 head_dim=128 max_position_embeddings=40960"},
        {"qwen3-235b-a22b", "Qwen3 235B-A22B", "Qwen/Qwen3-235B-A22B", "2025-04",
         "model_type=qwen3_moe hidden_size=4096 intermediate_size=12288 num_hidden_layers=94 "
         "num_attention_heads=64 num_key_value_heads=4 head_dim=128 moe_intermediate_size=1536 "
         "max_position_embeddings=40960"},
        {"falcon-h1-7b", "Falcon-H1 7B (Mamba and attention)", "tiiuae/Falcon-H1-7B-Base",
         "2025-05",
         "model_type=falcon_h1 vocab_size=130049 mamba_rms_norm=1 hidden_size=3072 "
         "intermediate_size=12288 "
         "num_hidden_layers=44 num_attention_heads=12 num_key_value_heads=2 head_dim=128 "
         "mamba_d_ssm=3072 mamba_n_heads=24 mamba_d_state=256 max_position_embeddings=262144"},
        {"smollm3-3b", "SmolLM3 3B", "HuggingFaceTB/SmolLM3-3B", "2025-07",
         "model_type=smollm3 max_position_embeddings=65536"},
        {"kimi-k2", "Kimi K2 (MLA)", "moonshotai/Kimi-K2-Instruct", "2025-07",
         "model_type=kimi_k2 vocab_size=163840 num_attention_heads=64 num_key_value_heads=64 "
         "first_k_dense_replace=1 max_position_embeddings=131072"},
        {"gpt-oss-20b", "GPT-OSS 20B", "openai/gpt-oss-20b", "2025-08",
         "model_type=gpt_oss num_hidden_layers=24 num_local_experts=32"},
        {"gpt-oss-120b", "GPT-OSS 120B", "openai/gpt-oss-120b", "2025-08", "model_type=gpt_oss"},
        {"qwen3-next-80b-a3b", "Qwen3-Next 80B-A3B (gated delta and attention)",
         "Qwen/Qwen3-Next-80B-A3B-Instruct", "2025-09",
         "model_type=qwen3_next max_position_embeddings=262144"},
        {"kimi-linear-48b-a3b", "Kimi Linear 48B-A3B (delta attention and MLA)",
         "moonshotai/Kimi-Linear-48B-A3B-Instruct", "2025-10",
         "model_type=kimi_linear linear_attn_config.full_attn_layers=4,8,12,16,20,24,27"},
        {"deepseek-v3.2", "DeepSeek-V3.2 (MLA and an index)", "deepseek-ai/DeepSeek-V3.2",
         "2025-12", "model_type=deepseek_v32"},
        {"olmo-3-7b", "OLMo 3 7B", "allenai/Olmo-3-7B-Instruct", "2025-11",
         "model_type=olmo3 vocab_size=100278 max_position_embeddings=65536"},
        {"gemma-4-26b-a4b", "Gemma 4 26B-A4B, its language model", "google/gemma-4-26B-A4B-it",
         "2026-04",
         "model_type=gemma4_text hidden_size=2816 intermediate_size=2112 num_attention_heads=16 "
         "num_key_value_heads=8 num_global_key_value_heads=2 attention_k_eq_v=1 "
         "hidden_size_per_layer_input=0 enable_moe_block=1 num_experts=128 top_k_experts=8 "
         "moe_intermediate_size=704 sliding_window=1024 max_position_embeddings=262144"},
        {"qwen3.5-397b-a17b", "Qwen3.5 397B-A17B, its language model", "Qwen/Qwen3.5-397B-A17B",
         "2026-02",
         "model_type=qwen3_5_moe_text hidden_size=4096 num_hidden_layers=60 "
         "num_attention_heads=32 linear_num_value_heads=64 moe_intermediate_size=1024 "
         "shared_expert_intermediate_size=1024 num_experts=512 num_experts_per_tok=10 "
         "max_position_embeddings=262144"},
    };
    return presets;
}

std::optional<ModelShape> family_preset(std::string_view name) {
    const std::vector<FamilyPreset>& rows = family_presets();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [name](const FamilyPreset& r) { return r.name == name; });
    if (row == rows.end()) return std::nullopt;
    auto model = model_of_family(config_values(row->config), std::string(name));
    KV_ASSERT(std::holds_alternative<FamilyModel>(model));
    ModelShape shape = std::get<FamilyModel>(std::move(model)).shape;
    shape.title = row->title;
    return shape;
}

}  // namespace kv
