// Published configs of every family, written out with the fields that the published files have:
// what they mean, and the bytes per token by hand.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/model/presets.hpp"
#include "core/model/config/config.hpp"
#include "core/model/config/priced_config.hpp"
#include "tests/places.hpp"

using namespace kv;
using Catch::Approx;

namespace {

ModelConfig fixture(const std::string& name) {
    return read_model_config(kv::test::source_dir() + "/tests/model/data/" + name + ".json");
}

u64 per_token(const ModelConfig& config) {
    return bytes_per_token(shape_of(config).cache, {});
}

struct Known {
    const char* file;
    u64 bytes_per_token, parameters;
};

// Bytes per token: 2 x layers x KV heads x head_dim x 2.
constexpr Known kKnown[] = {
    {"llama_first", 2ULL * 32 * 32 * 128 * 2, 6'738'415'616},
    {"llama_2_70b", 2ULL * 80 * 8 * 128 * 2, 68'976'648'192},
    {"llama_3_1_8b", 2ULL * 32 * 8 * 128 * 2, 8'030'261'248},
    {"llama_3_2_1b", 2ULL * 16 * 8 * 64 * 2, 1'235'814'400},
    {"llama_3_2_1b_v5", 2ULL * 16 * 8 * 64 * 2, 1'235'814'400},
    {"tinyllama_1_1b", 2ULL * 22 * 4 * 64 * 2, 1'100'048'384},
    {"smollm2_135m", 2ULL * 30 * 3 * 64 * 2, 134'515'008},
    {"mistral_7b_v0_1", 2ULL * 32 * 8 * 128 * 2, 7'241'732'096},
    {"mistral_7b_v0_3", 2ULL * 32 * 8 * 128 * 2, 7'248'023'552},
    {"mistral_nemo", 2ULL * 40 * 8 * 128 * 2, 12'247'782'400},
    {"qwen2_5_0_5b", 2ULL * 24 * 2 * 64 * 2, 494'032'768},
    {"qwen3_0_6b", 2ULL * 28 * 8 * 128 * 2, 596'049'920},
    {"qwen3_4b", 2ULL * 36 * 8 * 128 * 2, 4'022'468'096},
    {"deepseek_v3", 61ULL * (512 + 64) * 2, 671'026'419'200},
    {"deepseek_v2_lite", 27ULL * (512 + 64) * 2, 15'706'484'224},
};

}  // namespace

TEST_CASE("every family: bytes per token and parameters", "[config]") {
    for (const Known& known : kKnown) {
        CAPTURE(known.file);
        const ModelConfig config = fixture(known.file);
        CHECK(per_token(config) == known.bytes_per_token);
        CHECK(parameter_count(shape_of(config)) == known.parameters);
    }
}

TEST_CASE("a config and the preset of its name agree", "[config]") {
    for (const auto& [file, name] : {std::pair{"llama_2_70b", "llama-2-70b"},
                                     {"llama_3_2_1b", "llama-3.2-1b"},
                                     {"tinyllama_1_1b", "tinyllama-1.1b"},
                                     {"smollm2_135m", "smollm2-135m"},
                                     {"qwen2_5_0_5b", "qwen2.5-0.5b"},
                                     {"qwen3_0_6b", "qwen3-0.6b"},
                                     {"qwen3_4b", "qwen3-4b"},
                                     {"deepseek_v3", "deepseek-v3"}}) {
        CAPTURE(file);
        const ModelShape read = shape_of(fixture(file)), known = *preset(name);
        CHECK(read.cache.layers == known.cache.layers);
        CHECK(read.cache.n_kv_heads == known.cache.n_kv_heads);
        CHECK(read.cache.d_k == known.cache.d_k);
        CHECK(read.cache.d_v == known.cache.d_v);
        CHECK(read.n_heads == known.n_heads);
        CHECK(read.hidden_size == known.hidden_size);
        CHECK(read.max_positions == known.max_positions);
        CHECK(read.weight_type == known.weight_type);
        CHECK(weight_bytes(read) == weight_bytes(known));
    }
}

TEST_CASE("an early Llama file without num_key_value_heads is MHA", "[config]") {
    const ModelConfig config = fixture("llama_first");
    CHECK(config.n_kv_heads == 32);
    CHECK(config.head_dim == 128);
    CHECK(config.weight_type == WeightType::Fp16);
    CHECK(config.rope.theta == 10'000.0);
    CHECK(std::holds_alternative<std::monostate>(config.rope.scaling));
    CHECK_FALSE(config.tied_embeddings);
    CHECK(config.bos == 1U);
    CHECK(config.eos == std::vector<std::uint32_t>{2});
}

TEST_CASE("Llama 3 scaling is read under its old and its new name", "[config][rope]") {
    const ModelConfig older = fixture("llama_3_2_1b"), newer = fixture("llama_3_2_1b_v5");
    for (const ModelConfig& config : {older, newer}) {
        CHECK(config.rope.theta == 500'000.0);
        REQUIRE(std::holds_alternative<Llama3Scaling>(config.rope.scaling));
        const auto& scaling = std::get<Llama3Scaling>(config.rope.scaling);
        CHECK(scaling.factor == 32.0);
        CHECK(scaling.low_freq_factor == 1.0);
        CHECK(scaling.high_freq_factor == 4.0);
        CHECK(scaling.original_max_positions == 8192);
        CHECK(config.weight_type == WeightType::Bf16);
        CHECK(config.tied_embeddings);
        CHECK(config.norm_eps == Approx(1e-5));
    }
}

TEST_CASE("stop tokens may be one number or a list", "[config]") {
    CHECK(fixture("llama_3_1_8b").eos == std::vector<std::uint32_t>{128'001, 128'008, 128'009});
    CHECK(fixture("llama_3_2_1b").eos == std::vector<std::uint32_t>{128'001});
    CHECK(fixture("qwen3_0_6b").eos == std::vector<std::uint32_t>{151'645});
    CHECK(fixture("llama_3_1_8b").bos == 128'000U);
}

TEST_CASE("head_dim is the configured one", "[config]") {
    CHECK(fixture("qwen3_4b").head_dim == 128);      // 2560 / 32 would be 80
    CHECK(fixture("mistral_nemo").head_dim == 128);  // 5120 / 32 would be 160
    CHECK(fixture("smollm2_135m").head_dim == 64);   // absent: 576 / 9
}

TEST_CASE("biases and norms follow the family, not only the file", "[config]") {
    const ModelConfig qwen2 = fixture("qwen2_5_0_5b"), qwen3 = fixture("qwen3_0_6b"),
                      llama = fixture("llama_3_1_8b");
    CHECK(qwen2.qkv_bias);
    CHECK_FALSE(qwen2.o_bias);
    CHECK_FALSE(qwen2.qk_norm);
    CHECK_FALSE(qwen3.qkv_bias);
    CHECK(qwen3.qk_norm);
    CHECK_FALSE(llama.qkv_bias);
    CHECK_FALSE(llama.qk_norm);
}

TEST_CASE("a Mistral window holds in every layer, a null one in none", "[config][window]") {
    const ModelConfig first = fixture("mistral_7b_v0_1");
    CHECK(first.sliding_window == u64{4096});
    const CacheShape cache = shape_of(first).cache;
    CHECK(layer_groups(cache).size() == 1);
    CHECK(sequence_bytes(cache, {}, 4096) == 4096 * 131'072ULL);
    CHECK(sequence_bytes(cache, {}, 32'768) == 4096 * 131'072ULL);
    const ModelConfig later = fixture("mistral_7b_v0_3");
    CHECK_FALSE(later.sliding_window);
    CHECK(sequence_bytes(shape_of(later).cache, {}, 32'768) == 32'768 * 131'072ULL);
}

TEST_CASE("a Qwen window that is switched off is no window", "[config][window]") {
    const ModelConfig config = fixture("qwen2_5_0_5b");
    CHECK_FALSE(config.sliding_window);
    CHECK_FALSE(is_windowed(shape_of(config).cache));
}

TEST_CASE("Qwen layers from max_window_layers on slide when it is switched on",
          "[config][window]") {
    const ModelConfig config = fixture("qwen2_sliding");
    CHECK(config.sliding_window == u64{4096});
    for (std::size_t layer = 0; layer < 24; ++layer)
        CHECK(config.sliding_layers[layer] == (layer >= 20));
    // 512 B per token and layer: 20 layers keep 10,000 tokens, 4 keep 4,096.
    CHECK(sequence_bytes(shape_of(config).cache, {}, 10'000) == 512ULL * (20 * 10'000 + 4 * 4096));
}

TEST_CASE("latent attention: ranks, experts and yarn", "[config][mla]") {
    const ModelConfig large = fixture("deepseek_v3"), lite = fixture("deepseek_v2_lite");
    REQUIRE(large.latent);
    CHECK(large.latent->q_rank == u64{1536});
    CHECK(large.latent->d_c == 512);
    CHECK(large.head_dim == 192);
    CHECK(large.v_head_dim == 128);
    REQUIRE(large.experts);
    CHECK(large.experts->routing_bias);
    CHECK(large.experts->n_active == 8);
    CHECK(large.quantization == "fp8");
    REQUIRE(std::holds_alternative<YarnScaling>(large.rope.scaling));
    CHECK(std::get<YarnScaling>(large.rope.scaling).factor == 40.0);
    CHECK(std::get<YarnScaling>(large.rope.scaling).original_max_positions == 4096);
    REQUIRE(lite.latent);
    CHECK_FALSE(lite.latent->q_rank);
    REQUIRE(lite.experts);
    CHECK_FALSE(lite.experts->routing_bias);
    CHECK_FALSE(lite.quantization);
}

TEST_CASE("families that are run are told from those that are priced alone", "[config]") {
    const std::string data = kv::test::source_dir() + "/tests/model/data/";
    for (const char* runs : {"llama_2_70b", "mistral_nemo", "qwen2_5_0_5b", "qwen3_4b"})
        CHECK(is_runnable_config(data + runs + ".json"));
    for (const char* priced : {"deepseek_v2_lite", "deepseek_v3"})
        CHECK_FALSE(is_runnable_config(data + priced + ".json"));
}

TEST_CASE("the folder's name is the model's name", "[config]") {
    CHECK(fixture("qwen3_0_6b").name == "data");
    CHECK(fixture("qwen3_0_6b").family == Family::Qwen3);
    CHECK(name_of(Family::DeepSeekV2) == "deepseek_v2");
}
