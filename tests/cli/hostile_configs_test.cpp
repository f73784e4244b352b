// Configs that lie, leave out or overdo: each is one sentence and exit code 1, and those from which
// a part can be priced say what was left out.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct HostileConfig {
    const char* config;
    const char* part;  // of the sentence
};

const HostileConfig kHostile[]{
    {R"({})", "model_type is missing"},
    {R"({"model_type":null,"num_hidden_layers":2})", "model_type"},
    {R"({"model_type":["gemma2"],"num_hidden_layers":2})", "model_type"},
    {R"({"model_type":"gemma2","num_hidden_layers":0})", "number of layers is 0"},
    {R"({"model_type":"gemma2","num_hidden_layers":-1})", "num_hidden_layers is -1"},
    {R"({"model_type":"gemma2","num_hidden_layers":1e300})", "num_hidden_layers"},
    {R"({"model_type":"gemma2","num_hidden_layers":18446744073709551615})", "num_hidden_layers"},
    {R"({"model_type":"gemma2","num_hidden_layers":1000000})", "1 to 1024"},
    {R"({"model_type":"gemma2","num_hidden_layers":"26"})", "stands where a number belongs"},
    {R"({"model_type":"gemma2","num_hidden_layers":2,"hidden_size":null})", "hidden_size"},
    {R"({"model_type":"gemma2","num_hidden_layers":2,"num_attention_heads":7})", "divide"},
    {R"({"model_type":"gemma2","num_hidden_layers":2,"head_dim":2147483648,"hidden_size":2147483648,"vocab_size":2147483648})",
     ""},
    {R"({"model_type":"gemma3_text","num_hidden_layers":2,"sliding_window":-4})",
     "sliding_window is -4"},
    {R"({"model_type":"gpt_oss","num_hidden_layers":3,"layer_types":["full_attention"]})", ""},
    {R"({"model_type":"gpt_oss","num_hidden_layers":2,"layer_types":[["a"],{}]})", ""},
    {R"({"model_type":"mixtral","num_hidden_layers":2,"num_local_experts":-8})",
     "num_local_experts is -8"},
    {R"({"model_type":"t5","is_encoder_decoder":true,"num_layers":6})", "encoder"},
    {R"({"model_type":"clip","vision_config":{"num_hidden_layers":3}})", "clip"},
    {R"({"model_type":"gemma3","text_config":{"model_type":"gemma3","text_config":{"model_type":"gemma3_text","num_hidden_layers":2}}})",
     "gemma3"},
    {R"({"model_type":"llama4","text_config":"llama4_text"})", "text_config is missing"},
    {R"({"model_type":"jamba","num_hidden_layers":2,"attn_layer_period":0})", ""},
    {R"({"model_type":"recurrent_gemma","num_hidden_layers":2,"block_types":[]})", ""},
    {R"({"model_type":"kimi_linear","num_hidden_layers":5,"linear_attn_config":{"full_attn_layers":"all"}})",
     ""},
    {R"({"model_type":"gemma4_text","num_hidden_layers":2,"per_layer_config":{"1":{"head_dim":-512}}})",
     "per_layer_config.1.head_dim is -512"},
    {R"({"model_type":"gemma2","model_type":"llama","num_hidden_layers":2})", "model_type"},
};

}  // namespace

TEST_CASE("a hostile config is one sentence and exit code 1", "[files][hostile]") {
    const ScratchFolder scratch;
    for (const HostileConfig& hostile : kHostile) {
        const std::string path = scratch.write("config.json", hostile.config);
        const Ran ran = run_cli({"calc", "--config", path, "--tokens", "100", "--json"});
        CAPTURE(hostile.config, ran.err, ran.out);
        CHECK(ran.code == 1);
        CHECK(ran.out.empty());
        CHECK(count_lines(ran.err) == 1);
        CHECK_THAT(ran.err, ContainsSubstring("config.json"));
        CHECK_THAT(ran.err, ContainsSubstring(hostile.part));
    }
}

TEST_CASE("a price that cannot be counted is one sentence and exit code 2", "[files][hostile]") {
    const ScratchFolder scratch;
    const std::string path = scratch.write(
        "config.json", R"({"model_type":"gemma2","num_hidden_layers":1024,"head_dim":1048576})");
    const Ran ran =
        run_cli({"calc", "--config", path, "--tokens", "1000000000000", "--batch", "1000000000"});
    CAPTURE(ran.err);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
}

TEST_CASE("of a model that sees, its language model is priced, and the rest is named",
          "[files][hostile]") {
    const ScratchFolder scratch;
    const std::string path = scratch.write(
        "config.json",
        R"({"model_type":"qwen3_5","text_config":{"num_hidden_layers":4,"vocab_size":100},"vision_config":{"depth":2},"quantization_config":{"quant_method":"fp8"}})");
    const Ran ran = run_cli({"calc", "--config", path, "--json"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const auto json = nlohmann::json::parse(ran.out);
    CHECK(json["model"]["family"] == "qwen3_5_text");
    CHECK(json["groups"].size() == 2);
    CHECK_THAT(json["notes"].dump(), ContainsSubstring("vision tower"));
}
