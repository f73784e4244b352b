// Which tensors a config asks for, family by family, and how many bytes they take.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/cost/model/parameters.hpp"
#include "core/model/checkpoint/slots.hpp"
#include "core/model/safetensors/header.hpp"
#include "tests/model/model_folder.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Names with shapes, as "name [rows, columns]", sorted.
std::vector<std::string> asked(const Changes& changes) {
    Weights weights;
    std::vector<std::string> out;
    for (const WeightSlot& slot : weight_slots(config_of(changes), weights)) {
        out.push_back(slot.name + " " + shown_shape(slot.shape));
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
}

// One layer; 8 query heads and 2 KV heads of 8, hidden 64, intermediate 160, vocabulary 512.
const std::vector<std::string> kLlama{"lm_head.weight [512, 64]",
                                      "model.embed_tokens.weight [512, 64]",
                                      "model.layers.0.input_layernorm.weight [64]",
                                      "model.layers.0.mlp.down_proj.weight [64, 160]",
                                      "model.layers.0.mlp.gate_proj.weight [160, 64]",
                                      "model.layers.0.mlp.up_proj.weight [160, 64]",
                                      "model.layers.0.post_attention_layernorm.weight [64]",
                                      "model.layers.0.self_attn.k_proj.weight [16, 64]",
                                      "model.layers.0.self_attn.o_proj.weight [64, 64]",
                                      "model.layers.0.self_attn.q_proj.weight [64, 64]",
                                      "model.layers.0.self_attn.v_proj.weight [16, 64]",
                                      "model.norm.weight [64]"};

std::vector<std::string> llama_and(const std::vector<std::string>& more) {
    std::vector<std::string> all = kLlama;
    all.insert(all.end(), more.begin(), more.end());
    return sorted(all);
}

Changes one_layer(const std::string& family, Changes more = {}) {
    more["model_type"] = "\"" + family + "\"";
    more["num_hidden_layers"] = "1";
    if (family == "qwen3" && more.count("head_dim") == 0) more["head_dim"] = "8";
    return more;
}

}  // namespace

TEST_CASE("Llama and Mistral ask for twelve tensors a layer and around", "[weights]") {
    CHECK(asked(one_layer("llama")) == kLlama);
    CHECK(asked(one_layer("mistral")) == kLlama);
}

TEST_CASE("a tied model asks for no head", "[weights]") {
    std::vector<std::string> tied = kLlama;
    tied.erase(tied.begin());
    CHECK(asked(one_layer("llama", {{"tie_word_embeddings", "true"}})) == tied);
}

TEST_CASE("every layer asks for its own tensors", "[weights]") {
    const auto three = asked({{"num_hidden_layers", "3"}});
    CHECK(three.size() == 3 + 3 * 9);
    for (const char* layer : {"0", "1", "2"}) {
        const std::string name =
            "model.layers." + std::string(layer) + ".self_attn.k_proj.weight [16, 64]";
        CHECK(std::count(three.begin(), three.end(), name) == 1);
    }
}

TEST_CASE("head_dim, not hidden_size / n_heads, gives the rows of q and the columns of o",
          "[weights]") {
    const auto wide = asked({{"head_dim", "24"}, {"num_hidden_layers", "1"}});
    const auto has = [&wide](const std::string& name) {
        return std::count(wide.begin(), wide.end(), name) == 1;
    };
    CHECK(has("model.layers.0.self_attn.q_proj.weight [192, 64]"));
    CHECK(has("model.layers.0.self_attn.k_proj.weight [48, 64]"));
    CHECK(has("model.layers.0.self_attn.v_proj.weight [48, 64]"));
    CHECK(has("model.layers.0.self_attn.o_proj.weight [64, 192]"));
}

TEST_CASE("Qwen2 has biases on q, k and v and none on o", "[weights]") {
    CHECK(asked(one_layer("qwen2")) == llama_and({"model.layers.0.self_attn.q_proj.bias [64]",
                                                  "model.layers.0.self_attn.k_proj.bias [16]",
                                                  "model.layers.0.self_attn.v_proj.bias [16]"}));
}

TEST_CASE("Qwen3 has norms on the heads of q and k", "[weights]") {
    CHECK(asked(one_layer("qwen3")) == llama_and({"model.layers.0.self_attn.q_norm.weight [8]",
                                                  "model.layers.0.self_attn.k_norm.weight [8]"}));
}

TEST_CASE("attention_bias and mlp_bias of Llama are on all their matrices", "[weights]") {
    CHECK(asked(one_layer("llama", {{"attention_bias", "true"}, {"mlp_bias", "true"}})) ==
          llama_and({"model.layers.0.self_attn.q_proj.bias [64]",
                     "model.layers.0.self_attn.k_proj.bias [16]",
                     "model.layers.0.self_attn.v_proj.bias [16]",
                     "model.layers.0.self_attn.o_proj.bias [64]",
                     "model.layers.0.mlp.gate_proj.bias [160]",
                     "model.layers.0.mlp.up_proj.bias [160]",
                     "model.layers.0.mlp.down_proj.bias [64]"}));
}

TEST_CASE("the slots hold as many numbers as the cost model counts parameters", "[weights]") {
    const std::vector<Changes> configs{{},
                                       {{"tie_word_embeddings", "true"}},
                                       {{"attention_bias", "true"}, {"mlp_bias", "true"}},
                                       {{"model_type", "\"qwen2\""}, {"head_dim", "40"}},
                                       {{"model_type", "\"qwen3\""}, {"num_key_value_heads", "1"}},
                                       {{"model_type", "\"mistral\""}, {"num_hidden_layers", "7"}}};
    for (const Changes& changes : configs) {
        const ModelConfig config = config_of(changes);
        CAPTURE(config_text(changes));
        CHECK(loaded_bytes(config, WeightStorage::F32) == 4 * parameter_count(shape_of(config)));
    }
}

TEST_CASE("matrices take two bytes a number in bf16, vectors four whatever the storage",
          "[weights]") {
    // One layer of kLlama: embedding and head 512 x 64 each, q and o 64 x 64, k and v 16 x 64,
    // three of 160 x 64, and 3 norms of 64.
    const u64 matrices = u64{2} * 32'768 + u64{2} * 4'096 + u64{2} * 1'024 + u64{3} * 10'240;
    const ModelConfig config = config_of(one_layer("llama"));
    CHECK(loaded_bytes(config, WeightStorage::Bf16) == 2 * matrices + u64{4} * 192);
    CHECK(loaded_bytes(config, WeightStorage::F32) == 4 * matrices + u64{4} * 192);
}

TEST_CASE("two kinds of surplus are harmless", "[weights]") {
    const ModelConfig own = config_of({});
    const ModelConfig tied = config_of({{"tie_word_embeddings", "true"}});
    CHECK(is_harmless_surplus(own, "model.layers.0.self_attn.rotary_emb.inv_freq"));
    CHECK(is_harmless_surplus(own, "model.rotary_emb.inv_freq"));
    CHECK_FALSE(is_harmless_surplus(own, "rotary_emb.inv_freq"));
    CHECK_FALSE(is_harmless_surplus(own, "model.rotary_emb.inv_freq.weight"));
    CHECK(is_harmless_surplus(tied, "lm_head.weight"));
    CHECK_FALSE(is_harmless_surplus(own, "lm_head.weight"));
    CHECK_FALSE(is_harmless_surplus(tied, "lm_head.bias"));
}
