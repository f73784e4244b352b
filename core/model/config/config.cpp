#include "core/model/config/config.hpp"

#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/model/config/config_object.hpp"
#include "core/model/config/decoder_families.hpp"
#include "core/model/config/experts_config.hpp"
#include "core/model/config/fields.hpp"
#include "core/model/config/latent_config.hpp"
#include "core/model/config/layer_config.hpp"
#include "core/model/config/refused_file.hpp"
#include "core/model/config/rope_config.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr u64 kMaxLayers = 128, kMaxHeads = 256;
constexpr u64 kMinHeadDim = 8, kMaxHeadDim = 256;
constexpr u64 kMaxVocab = u64{1} << 20U;
constexpr u64 kMaxWidth = u64{1} << 20U;
constexpr u64 kMaxPositions = u64{1} << 31U;
constexpr std::size_t kMaxStops = 64;

bool is_deepseek(Family family) {
    return family == Family::DeepSeekV2 || family == Family::DeepSeekV3;
}

void read_family(Fields& f, ModelConfig& config) {
    for (const char* wrapped : {"text_config", "llm_config", "language_config"}) {
        if (f.has(wrapped)) {
            f.refuse(std::string(wrapped) + " wraps the language model of a multi-modal one",
                     "save that inner object as a config.json of its own");
        }
    }
    const auto type = f.maybe_text("model_type");
    if (!type)
        f.refuse("model_type is missing", "use the config.json of a Hugging Face model folder");
    if (!f.ok()) return;
    for (const DecoderFamily& row : decoder_families()) {
        if (row.name == *type) {
            config.family = row.family;
            return;
        }
    }
    f.refuse_value("model_type", "is not a family that this program reads",
                   "known are " + names_of_read_families("and"));
}

void read_widths(Fields& f, ModelConfig& config) {
    config.n_layers = f.whole("num_hidden_layers", 1, kMaxLayers);
    config.n_heads = f.whole("num_attention_heads", 1, kMaxHeads);
    config.n_kv_heads = f.maybe_whole("num_key_value_heads", 1, kMaxHeads).value_or(config.n_heads);
    config.hidden_size = f.whole("hidden_size", 1, kMaxWidth);
    config.intermediate_size = f.whole("intermediate_size", 1, kMaxWidth);
    config.vocab_size = f.whole("vocab_size", 2, kMaxVocab);
    config.max_positions =
        f.maybe_whole("max_position_embeddings", 1, kMaxPositions).value_or(2048);
    if (!f.ok()) return;
    if (const auto no = heads_objection(config.n_heads, config.n_kv_heads)) {
        f.refuse("num_key_value_heads is " + std::to_string(config.n_kv_heads) +
                     " with num_attention_heads " + std::to_string(config.n_heads) + ": " + *no,
                 "use a config whose query heads divide evenly among the KV heads");
    }
}

void read_head_dim(Fields& f, ModelConfig& config) {
    auto head_dim = f.maybe_whole("head_dim", kMinHeadDim, kMaxHeadDim);
    // Qwen3's own default is 128, whatever hidden_size and the heads say.
    if (!head_dim && config.family == Family::Qwen3) head_dim = 128;
    if (f.ok() && !head_dim) {
        if (config.hidden_size % config.n_heads != 0) {
            f.refuse_value("hidden_size",
                           "num_attention_heads (" + std::to_string(config.n_heads) +
                               ") does not divide, and head_dim is missing",
                           kAsPublished);
            return;
        }
        head_dim = config.hidden_size / config.n_heads;
    }
    if (!f.ok()) return;
    if (*head_dim % 2 != 0 || *head_dim < kMinHeadDim || *head_dim > kMaxHeadDim) {
        f.refuse("head_dim is " + std::to_string(*head_dim) +
                     ", which is not an even number from " + std::to_string(kMinHeadDim) + " to " +
                     std::to_string(kMaxHeadDim),
                 kAsPublished);
    }
    config.head_dim = config.v_head_dim = *head_dim;
}

void read_biases(Fields& f, ModelConfig& config) {
    const bool attention = f.flag("attention_bias", false);
    switch (config.family) {
        case Family::Llama:
            config.qkv_bias = config.o_bias = attention;
            config.mlp_bias = f.flag("mlp_bias", false);
            break;
        case Family::Qwen2:
            config.qkv_bias = true;
            break;  // and none on the output
        case Family::Qwen3:
            config.qkv_bias = config.o_bias = attention;
            config.qk_norm = true;
            break;
        case Family::Mistral:
        case Family::DeepSeekV2:
        case Family::DeepSeekV3:
            break;
    }
}

void read_weight_type(Fields& f, ModelConfig& config) {
    const auto older = f.maybe_text("torch_dtype"), newer = f.maybe_text("dtype");
    if (older && newer && *older != *newer) {
        f.refuse_value("dtype", "differs from torch_dtype (" + f.value_of("torch_dtype") + ")",
                       "keep the one that the weights have");
    }
    const std::string field = newer ? "dtype" : "torch_dtype";
    std::string type = newer ? *newer : older.value_or("bfloat16");
    constexpr std::string_view kTorch = "torch.";
    if (type.starts_with(kTorch)) type = type.substr(kTorch.size());
    if (type == "bfloat16") {
        config.weight_type = WeightType::Bf16;
    } else if (type == "float16") {
        config.weight_type = WeightType::Fp16;
    } else if (type == "float32") {
        config.weight_type = WeightType::F32;
    } else {
        f.refuse_value(field, "is not a type of weights that this program reads",
                       "known are bfloat16, float16 and float32");
    }
}

void read_activation(Fields& f) {
    const std::string act = f.maybe_text("hidden_act").value_or("silu");
    if (f.ok() && act != "silu" && act != "swish") {
        f.refuse_value("hidden_act", "is not the activation of this family (silu)",
                       "such a model is not read");
    }
}

std::optional<std::uint32_t> token_id(Fields& f, const std::string& field, const Json& value,
                                      u64 vocab_size) {
    if (!value.is_number_unsigned() || value.get<u64>() >= vocab_size) {
        f.refuse(f.name_of(field) + " holds " + shown_json(value) +
                     ", which is not a token id below vocab_size (" + with_commas(vocab_size) + ")",
                 kAsPublished);
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(value.get<u64>());
}

void read_stops(Fields& f, const Json& root, ModelConfig& config) {
    if (f.has("bos_token_id")) {
        config.bos = token_id(f, "bos_token_id", root["bos_token_id"], config.vocab_size);
    }
    if (!f.has("eos_token_id")) return;
    const Json& eos = root["eos_token_id"];
    const Json list = eos.is_array() ? eos : Json::array({eos});
    if (list.size() > kMaxStops) {
        f.refuse("eos_token_id lists " + with_commas(list.size()) + " tokens, more than " +
                     std::to_string(kMaxStops),
                 kAsPublished);
        return;
    }
    for (const Json& each : list) {
        if (const auto id = token_id(f, "eos_token_id", each, config.vocab_size)) {
            config.eos.push_back(*id);
        }
    }
}

void read_quantization(Fields& f, ModelConfig& config, std::optional<ConfigRefusal>& refusal) {
    const Json* object = f.maybe_object("quantization_config");
    if (!object) return;
    Fields inner{*object, "quantization_config.", refusal};
    config.quantization = inner.maybe_text("quant_method").value_or("a method without a name");
}

void read_all(const Json& root, ModelConfig& config, std::optional<ConfigRefusal>& refusal) {
    Fields f{root, "", refusal};
    read_family(f, config);
    if (!f.ok()) return;  // the other fields mean something only within a known family
    read_widths(f, config);
    if (!f.ok()) return;
    if (is_deepseek(config.family)) {
        read_latent(f, config);
        read_experts(f, config);
    } else {
        read_head_dim(f, config);
    }
    read_biases(f, config);
    read_windows(f, config);
    read_activation(f);
    read_weight_type(f, config);
    read_stops(f, root, config);
    read_quantization(f, config, refusal);
    config.tied_embeddings = f.flag("tie_word_embeddings", false);
    config.norm_eps = f.maybe_number("rms_norm_eps", 0, 1).value_or(1e-6);
    config.rope = read_rope(f, refusal, config.max_positions);
}

}  // namespace

std::string folder_name(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos || slash == 0) return "config";
    const std::size_t before = path.rfind('/', slash - 1);
    const std::size_t start = before == std::string::npos ? 0 : before + 1;
    const std::string name = path.substr(start, slash - start);
    return name.empty() || name == "." || name == ".." ? "config" : name;
}

std::string_view name_of(Family family) {
    for (const DecoderFamily& row : decoder_families())
        if (row.family == family) return row.name;
    KV_ASSERT(false);
    return "";
}

std::variant<ModelConfig, ConfigRefusal> parse_model_config(std::string_view json,
                                                            const std::string& name) {
    const auto opened = config_object(json);
    if (const auto* no = std::get_if<ConfigRefusal>(&opened)) return *no;
    const Json& root = std::get<Json>(opened);
    ModelConfig config;
    config.name = name;
    std::optional<ConfigRefusal> refusal;
    read_all(root, config, refusal);
    if (refusal) return *refusal;
    return config;
}

ModelConfig read_model_config(const std::string& path) {
    auto parsed = parse_model_config(config_text(path), folder_name(path));
    if (const auto* no = std::get_if<ConfigRefusal>(&parsed))
        refuse_file(shown(path) + ": ", no->rule, no->advice);
    return std::get<ModelConfig>(std::move(parsed));
}

}  // namespace kv
