#include "core/cost/model/presets.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cost/family/presets.hpp"

namespace kv {
namespace {

// One row per model of the Llama kind: rotary positions, RMS norms, a gated MLP.
struct Row {
    std::string_view name, title;
    u64 n_layers, hidden, intermediate, n_heads, n_kv_heads, head_dim, vocab, positions;
    WeightType type;
    enum Traits : unsigned { Plain = 0, Tied = 1, QkvBias = 2, QkNorm = 4 };
    unsigned traits;
};

constexpr WeightType kBf16 = WeightType::Bf16;
constexpr WeightType kFp16 = WeightType::Fp16;

// clang-format off
constexpr Row kRows[] = {
    //  name                title                        layers hidden   mlp heads kv  d   vocab   positions
    {"llama-2-7b",      "Llama 2 7B",                        32,  4096, 11008, 32, 32, 128,  32000,   4096, kFp16, Row::Plain},
    {"llama-2-13b",     "Llama 2 13B",                       40,  5120, 13824, 40, 40, 128,  32000,   4096, kFp16, Row::Plain},
    {"llama-2-70b",     "Llama 2 70B",                       80,  8192, 28672, 64,  8, 128,  32000,   4096, kFp16, Row::Plain},
    {"llama-2-70b-mha", "Llama 2 70B as MHA (never shipped)", 80, 8192, 28672, 64, 64, 128,  32000,   4096, kFp16, Row::Plain},
    {"llama-3-8b",      "Llama 3 8B",                        32,  4096, 14336, 32,  8, 128, 128256,   8192, kBf16, Row::Plain},
    {"llama-3-70b",     "Llama 3 70B",                       80,  8192, 28672, 64,  8, 128, 128256,   8192, kBf16, Row::Plain},
    {"llama-3.2-1b",    "Llama 3.2 1B",                      16,  2048,  8192, 32,  8,  64, 128256, 131072, kBf16, Row::Tied},
    {"qwen2.5-0.5b",    "Qwen2.5 0.5B",                      24,   896,  4864, 14,  2,  64, 151936,  32768, kBf16, Row::Tied | Row::QkvBias},
    {"qwen3-0.6b",      "Qwen3 0.6B",                        28,  1024,  3072, 16,  8, 128, 151936,  40960, kBf16, Row::Tied | Row::QkNorm},
    {"qwen3-4b",        "Qwen3 4B",                          36,  2560,  9728, 32,  8, 128, 151936,  40960, kBf16, Row::Tied | Row::QkNorm},
    {"mistral-7b",      "Mistral 7B v0.2",       32,  4096, 14336, 32,  8, 128,  32000,  32768, kBf16, Row::Plain},
    {"smollm2-135m",    "SmolLM2 135M",                      30,   576,  1536,  9,  3,  64,  49152,   8192, kBf16, Row::Tied},
    {"smollm2-360m",    "SmolLM2 360M",                      32,   960,  2560, 15,  5,  64,  49152,   8192, kBf16, Row::Tied},
    {"tinyllama-1.1b",  "TinyLlama 1.1B",                    22,  2048,  5632, 32,  4,  64,  32000,   2048, kBf16, Row::Plain},
};
// clang-format on

ModelShape from_row(const Row& row) {
    ModelShape s;
    s.name = row.name;
    s.title = row.title;
    s.cache = uniform_cache(row.n_layers, row.n_kv_heads, row.head_dim);
    s.n_heads = row.n_heads;
    s.hidden_size = row.hidden;
    s.intermediate_size = row.intermediate;
    s.vocab_size = row.vocab;
    s.max_positions = row.positions;
    s.tied_embeddings = (row.traits & Row::Tied) != 0;
    s.qkv_bias = (row.traits & Row::QkvBias) != 0;
    s.qk_norm = (row.traits & Row::QkNorm) != 0;
    s.weight_type = row.type;
    return s;
}

// GPT-3 and OPT: learned positions, layer norms, a plain MLP, biases everywhere, tied embeddings.
ModelShape gpt_like(std::string_view name, std::string_view title, u64 n_layers, u64 n_heads) {
    ModelShape s;
    s.name = name;
    s.title = title;
    s.cache = uniform_cache(n_layers, n_heads, 128);
    s.n_heads = n_heads;
    s.hidden_size = 128 * n_heads;
    s.intermediate_size = 4 * s.hidden_size;
    s.max_positions = 2048;
    s.mlp = MlpForm::Plain;
    s.norm = NormForm::LayerNorm;
    s.tied_embeddings = s.qkv_bias = s.o_bias = s.mlp_bias = true;
    s.weight_type = WeightType::Fp16;
    return s;
}

ModelShape gpt_3() {
    ModelShape s = gpt_like("gpt-3", "GPT-3 175B", 96, 96);
    s.vocab_size = 50257;
    s.learned_positions = 2048;
    return s;
}

ModelShape opt_13b() {
    ModelShape s = gpt_like("opt-13b", "OPT 13B", 40, 40);
    s.vocab_size = 50272;
    s.learned_positions = 2050;  // its table starts two rows early
    return s;
}

ModelShape deepseek_v3() {
    ModelShape s;
    s.name = "deepseek-v3";
    s.title = "DeepSeek-V3 (MLA)";
    s.cache.layers.assign(61, LatentCache{.d_c = 512, .d_rope = 64});
    s.cache.n_kv_heads = 128;
    s.cache.d_k = 192;  // 128 without position and 64 rotated, were keys kept per head
    s.cache.d_v = 128;
    s.n_heads = 128;
    s.hidden_size = 7168;
    s.intermediate_size = 18432;
    s.vocab_size = 129280;
    s.max_positions = 163840;
    s.latent = LatentProjections{
        .q_rank = 1536, .d_c = 512, .nope_dim = 128, .d_rope = 64, .v_dim = 128, .bias = false};
    s.experts = Experts{.n_routed = 256,
                        .n_shared = 1,
                        .n_active = 8,
                        .intermediate_size = 2048,
                        .first_layer = 3,
                        .every = 1,
                        .routing_bias = true};
    return s;
}

}  // namespace

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all{
            "llama-2-7b",     "llama-2-13b", "llama-2-70b", "llama-2-70b-mha", "gpt-3",
            "opt-13b",        "llama-3-8b",  "llama-3-70b", "llama-3.2-1b",    "qwen2.5-0.5b",
            "qwen3-0.6b",     "qwen3-4b",    "mistral-7b",  "smollm2-135m",    "smollm2-360m",
            "tinyllama-1.1b", "deepseek-v3"};
        for (const FamilyPreset& each : family_presets()) all.push_back(each.name);
        return all;
    }();
    return names;
}

std::optional<ModelShape> preset(std::string_view name) {
    if (name == "gpt-3") return gpt_3();
    if (name == "opt-13b") return opt_13b();
    if (name == "deepseek-v3") return deepseek_v3();
    const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                  [name](const Row& r) { return r.name == name; });
    if (row == std::end(kRows)) return family_preset(name);
    return from_row(*row);
}

std::string preset_title(std::string_view name) {
    const std::vector<FamilyPreset>& families = family_presets();
    const auto family = std::find_if(families.begin(), families.end(),
                                     [name](const FamilyPreset& r) { return r.name == name; });
    return family == families.end() ? preset(name)->title : std::string(family->title);
}

}  // namespace kv
