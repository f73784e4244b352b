// Configs that must be refused, each for its own reason and by the name of its field.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/cost/cache/bytes.hpp"
#include "tests/model/config/text.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

ModelConfig taken(const Changes& changes) {
    auto result = parse(changes);
    if (const auto* no = std::get_if<ConfigRefusal>(&result)) FAIL(no->rule);
    return std::get<ModelConfig>(result);
}

void check_config_refused(const std::string& field, const std::string& text,
                          const std::string& part) {
    CAPTURE(field, text);
    const std::string said = refusal({{field, text}});
    CHECK_THAT(said, ContainsSubstring(part));
    CHECK_THAT(said, ContainsSubstring(field));
    CHECK(said.find('\n') == std::string::npos);
    CHECK(said.back() != '.');
}

}  // namespace

TEST_CASE("the small config is fine as it stands", "[config]") {
    const ModelConfig config = taken({});
    CHECK(config.head_dim == 8);
    CHECK(bytes_per_token(shape_of(config).cache, {}) == u64{2} * 2 * 2 * 8 * 2);
    CHECK(config.weight_type == WeightType::Bf16);
    CHECK(config.eos.empty());
    CHECK_FALSE(config.bos);
}

TEST_CASE("whole numbers have no fraction, exponent, sign or quotes", "[config]") {
    for (const char* text : {"2.0", "2.5", "2e0", "1e9", "-2", "-0", "\"2\"", "true", "[2]", "{}",
                             "18446744073709551616", "1e999999"}) {
        CAPTURE(text);
        CHECK(refusal({{"num_hidden_layers", text}}) != "");
        CHECK(refusal({{"vocab_size", text}}) != "");
        CHECK(refusal({{"head_dim", text}}) != "");
    }
    check_config_refused("num_hidden_layers", "2.0", "not a whole number");
    check_config_refused("hidden_size", "-64", "not a whole number");
}

TEST_CASE("every number has its range", "[config]") {
    check_config_refused("num_hidden_layers", "0", "outside 1 to 128");
    check_config_refused("num_hidden_layers", "129", "outside 1 to 128");
    check_config_refused("num_attention_heads", "257", "outside 1 to 256");
    check_config_refused("num_attention_heads", "0", "outside 1 to 256");
    check_config_refused("num_key_value_heads", "0", "outside 1 to 256");
    check_config_refused("vocab_size", "1", "outside 2 to 1,048,576");
    check_config_refused("vocab_size", "1048577", "outside 2 to 1,048,576");
    check_config_refused("head_dim", "6", "outside 8 to 256");
    check_config_refused("head_dim", "258", "outside 8 to 256");
    check_config_refused("head_dim", "9", "even number");
    check_config_refused("hidden_size", "0", "outside");
    check_config_refused("max_position_embeddings", "0", "outside");
    check_config_refused("rms_norm_eps", "0", "is not above 0");
    check_config_refused("rms_norm_eps", "-1e-5", "is not above 0");
    check_config_refused("rms_norm_eps", "\"1e-5\"", "not a number");
    check_config_refused("rope_theta", "0", "is not above 0");
    CHECK(taken({{"num_hidden_layers", "128"}}).n_layers == 128);
    CHECK(taken({{"vocab_size", "1048576"}}).vocab_size == 1'048'576);
    CHECK(taken({{"head_dim", "256"}}).head_dim == 256);
}

TEST_CASE("fields without which there is no model are named when they are missing", "[config]") {
    for (const char* field : {"num_hidden_layers", "num_attention_heads", "hidden_size",
                              "intermediate_size", "vocab_size", "model_type"}) {
        CHECK(refusal({{field, ""}}).rfind(std::string(field) + " is missing", 0) == 0);
        CHECK(refusal({{field, "null"}}).rfind(std::string(field) + " is missing", 0) == 0);
    }
}

TEST_CASE("query heads must divide evenly among the KV heads", "[config][lesson7]") {
    check_config_refused("num_key_value_heads", "3", "do not divide");
    check_config_refused("num_key_value_heads", "16", "more than");
    CHECK_THAT(refusal({{"num_attention_heads", "40"}, {"num_key_value_heads", "6"}}),
               ContainsSubstring("remainder 4"));
}

TEST_CASE("a missing or null num_key_value_heads means one per query head", "[config]") {
    CHECK(taken({{"num_key_value_heads", ""}}).n_kv_heads == 8);
    CHECK(taken({{"num_key_value_heads", "null"}}).n_kv_heads == 8);
}

TEST_CASE("head_dim: absent, null, given, or impossible", "[config]") {
    CHECK(taken({{"head_dim", "null"}}).head_dim == 8);
    CHECK(taken({{"head_dim", "32"}}).head_dim == 32);
    check_config_refused("hidden_size", "65", "does not divide");
    CHECK(taken({{"hidden_size", "65"}, {"head_dim", "8"}}).head_dim == 8);
    CHECK_THAT(refusal({{"hidden_size", "56"}}), ContainsSubstring("head_dim is 7"));
    CHECK(taken({{"model_type", "\"qwen3\""}}).head_dim == 128);  // that family's own default
}

TEST_CASE("other families are refused by name", "[config]") {
    for (const char* type :
         {"gpt2", "gemma", "mixtral", "phi3", "qwen3_moe", "opt", "falcon", "Llama", ""}) {
        const std::string said = refusal({{"model_type", "\"" + std::string(type) + "\""}});
        CHECK_THAT(said, ContainsSubstring("model_type is \"" + std::string(type) + "\""));
        CHECK_THAT(said,
                   ContainsSubstring("llama, mistral, qwen2, qwen3, deepseek_v2 and deepseek_v3"));
    }
    check_config_refused("model_type", "7", "not a text");
}

TEST_CASE("a multi-modal wrapper is refused by the field that wraps", "[config]") {
    check_config_refused("text_config", "{}", "multi-modal");
}

TEST_CASE("rotations that are not understood are refused, not ignored", "[config][rope]") {
    const auto scaled = [](const std::string& text) { return refusal({{"rope_scaling", text}}); };
    CHECK_THAT(scaled(R"({"type":"dynamic","factor":2.0})"), ContainsSubstring("\"dynamic\""));
    CHECK_THAT(scaled(R"({"rope_type":"longrope","factor":2.0})"),
               ContainsSubstring("rope_scaling.rope_type"));
    CHECK_THAT(scaled(R"({"type":"linear"})"), ContainsSubstring("rope_scaling.factor is missing"));
    CHECK_THAT(scaled(R"({"type":"linear","factor":0.5})"), ContainsSubstring("below 1"));
    CHECK_THAT(scaled(R"({"type":"linear","factor":"2"})"), ContainsSubstring("not a number"));
    CHECK_THAT(scaled(R"({"type":"linear","rope_type":"llama3","factor":2.0})"),
               ContainsSubstring("differs"));
    CHECK_THAT(scaled("7"), ContainsSubstring("rope_scaling is 7"));
    CHECK_THAT(scaled(R"({"type":7})"), ContainsSubstring("not a text"));
    CHECK_THAT(scaled(R"({"full_attention":{"rope_type":"default"}})"),
               ContainsSubstring("full_attention"));
    CHECK_THAT(refusal({{"partial_rotary_factor", "0.5"}}),
               ContainsSubstring("partial_rotary_factor"));
    CHECK(scaled(R"({"rope_type":"default"})").empty());
    CHECK(scaled(R"({"type":"linear","factor":2})").empty());
    CHECK(scaled("null").empty());
}

TEST_CASE("each field of llama3 scaling is checked", "[config][rope]") {
    const std::string start = R"({"rope_type":"llama3","factor":8.0,)";
    const auto scaled = [&](const std::string& rest) {
        return refusal({{"rope_scaling", start + rest + "}"}});
    };
    CHECK(
        scaled(
            R"("low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":8192)")
            .empty());
    CHECK_THAT(scaled(R"("high_freq_factor":4.0,"original_max_position_embeddings":8192)"),
               ContainsSubstring("low_freq_factor is missing"));
    CHECK_THAT(scaled(R"("low_freq_factor":1.0,"original_max_position_embeddings":8192)"),
               ContainsSubstring("high_freq_factor is missing"));
    CHECK_THAT(scaled(R"("low_freq_factor":1.0,"high_freq_factor":4.0)"),
               ContainsSubstring("original_max_position_embeddings is missing"));
    CHECK_THAT(
        scaled(
            R"("low_freq_factor":4.0,"high_freq_factor":4.0,"original_max_position_embeddings":8192)"),
        ContainsSubstring("is not above low_freq_factor"));
    CHECK_THAT(
        scaled(
            R"("low_freq_factor":0,"high_freq_factor":4.0,"original_max_position_embeddings":8192)"),
        ContainsSubstring("low_freq_factor is 0"));
    CHECK_THAT(
        scaled(
            R"("low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":8192.5)"),
        ContainsSubstring("not a whole number"));
}

TEST_CASE("a base that is given twice must be the same", "[config][rope]") {
    CHECK_THAT(refusal({{"rope_theta", "10000.0"},
                        {"rope_parameters", R"({"rope_theta":5000.0,"rope_type":"default"})"}}),
               ContainsSubstring("rope_parameters.rope_theta"));
    CHECK(taken({{"rope_theta", "5000"},
                 {"rope_parameters", R"({"rope_theta":5000.0,"rope_type":"default"})"}})
              .rope.theta == 5000.0);
    CHECK_THAT(refusal({{"rope_scaling", R"({"type":"linear","factor":2})"},
                        {"rope_parameters", R"({"rope_type":"default"})"}}),
               ContainsSubstring("both given and differ"));
    CHECK(std::get<LinearScaling>(
              taken({{"rope_scaling", R"({"type":"linear","factor":4.0})"}}).rope.scaling)
              .factor == 4.0);
}

TEST_CASE("weights have one of three types, under either name", "[config]") {
    CHECK(taken({{"torch_dtype", "\"float32\""}}).weight_type == WeightType::F32);
    CHECK(taken({{"dtype", "\"float16\""}}).weight_type == WeightType::Fp16);
    CHECK(taken({{"dtype", "\"torch.bfloat16\""}}).weight_type == WeightType::Bf16);
    CHECK(taken({{"dtype", "null"}, {"torch_dtype", "\"float32\""}}).weight_type ==
          WeightType::F32);
    check_config_refused("torch_dtype", "\"float64\"", "not a type of weights");
    check_config_refused("dtype", "16", "not a text");
    CHECK_THAT(refusal({{"dtype", "\"float16\""}, {"torch_dtype", "\"bfloat16\""}}),
               ContainsSubstring("differs"));
}

TEST_CASE("token ids are whole and below the vocabulary", "[config]") {
    check_config_refused("eos_token_id", "512", "not a token id below vocab_size (512)");
    check_config_refused("eos_token_id", "-1", "not a token id");
    check_config_refused("eos_token_id", "[1, 2.5]", "2.5");
    check_config_refused("eos_token_id", "\"2\"", "not a token id");
    check_config_refused("bos_token_id", "[1]", "not a token id");
    CHECK(taken({{"eos_token_id", "511"}}).eos == std::vector<std::uint32_t>{511});
    CHECK(taken({{"eos_token_id", "[]"}}).eos.empty());
    CHECK(taken({{"eos_token_id", "null"}}).eos.empty());
    std::string many = "[0";
    for (int i = 0; i < 64; ++i) many += ",1";
    check_config_refused("eos_token_id", many + "]", "more than 64");
}

TEST_CASE("flags are true or false and nothing else", "[config]") {
    check_config_refused("tie_word_embeddings", "1", "neither true nor false");
    check_config_refused("attention_bias", "\"false\"", "neither true nor false");
    CHECK(taken({{"tie_word_embeddings", "true"}}).tied_embeddings);
    CHECK_FALSE(taken({{"tie_word_embeddings", "null"}}).tied_embeddings);
}

TEST_CASE("biases of Llama and Qwen3 come from the file", "[config]") {
    const ModelConfig llama = taken({{"attention_bias", "true"}, {"mlp_bias", "true"}});
    CHECK(llama.qkv_bias);
    CHECK(llama.o_bias);
    CHECK(llama.mlp_bias);
    const ModelConfig qwen3 = taken({{"model_type", "\"qwen3\""}, {"attention_bias", "true"}});
    CHECK(qwen3.qkv_bias);
    CHECK(qwen3.o_bias);
}

TEST_CASE("another activation is refused by its value", "[config]") {
    check_config_refused("hidden_act", "\"gelu\"", "not the activation");
    CHECK(refusal({{"hidden_act", "\"silu\""}}).empty());
}

TEST_CASE("layer_types decide layer by layer and must fit", "[config][window]") {
    const Changes sliding{{"model_type", "\"qwen2\""},
                          {"use_sliding_window", "true"},
                          {"sliding_window", "16"},
                          {"layer_types", R"(["sliding_attention","full_attention"])"}};
    const ModelConfig config = taken(sliding);
    CHECK(config.sliding_layers == std::vector<bool>{true, false});
    CHECK(config.sliding_window == u64{16});
    Changes changed = sliding;
    changed["layer_types"] = R"(["sliding_attention"])";
    CHECK_THAT(refusal(changed), ContainsSubstring("layer_types has 1 entries"));
    changed["layer_types"] = R"(["sliding_attention","linear_attention"])";
    CHECK_THAT(refusal(changed), ContainsSubstring("linear_attention"));
    changed = sliding;
    changed["sliding_window"] = "null";
    CHECK_THAT(refusal(changed), ContainsSubstring("sliding_window is missing"));
    changed = sliding;
    changed["use_sliding_window"] = "false";
    CHECK_FALSE(taken(changed).sliding_window);
    changed = sliding;
    changed["layer_types"] = "7";
    CHECK_THAT(refusal(changed), ContainsSubstring("layer_types is 7, which is not a list"));
}

TEST_CASE("a window in a Llama file is passed over, as that family has none", "[config][window]") {
    CHECK_FALSE(taken({{"sliding_window", "16"}}).sliding_window);
}

TEST_CASE("a latent config needs its ranks", "[config][mla]") {
    const Changes mla{{"model_type", "\"deepseek_v3\""},
                      {"kv_lora_rank", "32"},
                      {"qk_nope_head_dim", "16"},
                      {"qk_rope_head_dim", "8"},
                      {"v_head_dim", "16"}};
    const ModelConfig config = taken(mla);
    CHECK(bytes_per_token(shape_of(config).cache, {}) == u64{2} * (32 + 8) * 2);
    CHECK_FALSE(config.experts);
    for (const char* field :
         {"kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"}) {
        Changes changed = mla;
        changed[field] = "";
        CHECK_THAT(refusal(changed), ContainsSubstring(std::string(field) + " is missing"));
    }
    Changes odd = mla;
    odd["qk_rope_head_dim"] = "7";
    CHECK_THAT(refusal(odd), ContainsSubstring("qk_rope_head_dim is 7"));
    Changes few = mla;
    few["n_routed_experts"] = "4";
    few["num_experts_per_tok"] = "5";
    few["moe_intermediate_size"] = "8";
    CHECK_THAT(refusal(few), ContainsSubstring("more than n_routed_experts"));
}

TEST_CASE("text that is no object, no JSON, too deep or says a thing twice", "[config][json]") {
    const auto said = [](const std::string& text) {
        const auto result = parse_model_config(text, "x");
        const auto* no = std::get_if<ConfigRefusal>(&result);
        return no ? no->rule : std::string();
    };
    CHECK_THAT(said(""), ContainsSubstring("not JSON"));
    CHECK_THAT(said("[]"), ContainsSubstring("a list where an object belongs"));
    CHECK_THAT(said("null"), ContainsSubstring("null where an object belongs"));
    CHECK_THAT(said("{"), ContainsSubstring("not JSON"));
    CHECK_THAT(said(config_text({}) + "x"), ContainsSubstring("not JSON"));
    CHECK_THAT(said(R"({"a":1,"b":2,"a":3})"), ContainsSubstring("\"a\" twice"));
    CHECK_THAT(said(R"({"rope_scaling":{"factor":1,"factor":2}})"),
               ContainsSubstring("\"factor\" twice"));
    CHECK_THAT(said("{\"a\":" + std::string(9, '[') + std::string(9, ']') + "}"),
               ContainsSubstring("deeper than 8"));
    CHECK_THAT(said(std::string(100'000, '[')), ContainsSubstring("deeper than 8"));
    CHECK_THAT(said("{\"a\":NaN}"), ContainsSubstring("not JSON"));
    CHECK_THAT(said("{\"a\":Infinity}"), ContainsSubstring("not JSON"));
    CHECK_THAT(said("{\"a\":1e999}"), ContainsSubstring("a number that is too large to be read"));
    CHECK_THAT(said("{\"a\":\"\xff\"}"), ContainsSubstring("not JSON"));
    CHECK_THAT(said("{\"a\":1 /* note */}"), ContainsSubstring("not JSON"));
}

TEST_CASE("a long or binary value cannot make the message long or binary", "[config]") {
    const std::string said = refusal({{"model_type", "\"" + std::string(100'000, 'x') + "\""}});
    CHECK(said.size() < 400);
    CHECK(refusal({{"model_type", "\"a\\nb\\u0000c\""}}).find('\n') == std::string::npos);
}
