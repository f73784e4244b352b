#pragma once
// A Hugging Face config.json of the families that we read: llama, mistral, qwen2, qwen3,
// deepseek_v2 and deepseek_v3. What a decoder and the cost model need is here, validated; anything
// that would change the arithmetic and is not understood is refused by the name of its field, never
// passed over.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cost/model/shape.hpp"

namespace kv {

enum class Family { Llama, Mistral, Qwen2, Qwen3, DeepSeekV2, DeepSeekV3 };

// How rotary frequencies are changed to reach beyond the length of training. Three schemes are
// read. Linear and Llama 3's are run; their formulas stand in core/engine/reference/rope.cpp. YaRN
// is priced alone. Any other is refused by rope_config.cpp, so is "dynamic" (NTK), whose
// frequencies change with the length of the text.
//
// Position interpolation (arXiv 2306.15595): all frequencies are divided by the factor.
struct LinearScaling {
    double factor;
};
// By wavelength, as "NTK by parts" has it: long waves are divided by the factor, short ones stay,
// and those in between are changed by degrees.
struct Llama3Scaling {
    double factor, low_freq_factor, high_freq_factor;
    u64 original_max_positions;
};
// YaRN (arXiv 2309.00071): by parts as well, with the limits in rotations over the length of
// training (beta_fast, beta_slow), and queries and keys multiplied by attention_factor, or by what
// mscale makes of the factor (as a rule 0.1 ln(factor) + 1). It is read so that such a model can be
// priced, which it does not change; nobody runs it (running_objection of
// core/model/checkpoint/slots.cpp).
struct YarnScaling {
    double factor, beta_fast, beta_slow;
    std::optional<double> attention_factor, mscale, mscale_all_dim;
    u64 original_max_positions;
};
using RopeScaling = std::variant<std::monostate, LinearScaling, Llama3Scaling, YarnScaling>;

struct Rope {
    double theta = 10000.0;
    RopeScaling scaling;
};

struct ModelConfig {
    Family family = Family::Llama;
    std::string name;  // the folder that the file lies in, or "config"
    u64 n_layers = 0, n_heads = 0, n_kv_heads = 0;
    u64 head_dim = 0;  // of queries and keys
    u64 v_head_dim = 0;
    u64 hidden_size = 0, intermediate_size = 0, vocab_size = 0, max_positions = 0;
    bool tied_embeddings = false;
    bool qkv_bias = false, o_bias = false, mlp_bias = false;
    bool qk_norm = false;
    double norm_eps = 1e-6;
    Rope rope;
    std::optional<std::uint32_t> bos;
    std::vector<std::uint32_t> eos;     // empty when the file names none
    std::optional<u64> sliding_window;  // tokens that a sliding layer sees
    std::vector<bool> sliding_layers;   // one entry per layer
    std::optional<LatentProjections> latent;
    std::optional<Experts> experts;
    WeightType weight_type = WeightType::Bf16;
    std::optional<std::string> quantization;  // the method's name; its sizes are not priced
};

// What is wrong with a config, in three parts that make one sentence.
struct ConfigRefusal {
    std::string rule;  // "num_attention_heads is 40, which num_key_value_heads (6) does not divide"
    std::string advice;  // "Use a config whose heads divide evenly"
};

// The bytes of the file. Never throws for what they say.
std::variant<ModelConfig, ConfigRefusal> parse_model_config(std::string_view json,
                                                            const std::string& name);

// Reads the file; throws kv::Error (World) with a sentence that names path, field and value.
ModelConfig read_model_config(const std::string& path);

// What a config is called: "models/tiny/config.json" is "tiny"; "config" when no folder is named.
std::string folder_name(const std::string& path);

ModelShape shape_of(const ModelConfig& config);
std::string_view name_of(Family family);  // "llama", as model_type has it

}  // namespace kv
