// Every family of the table against what `transformers` itself measures:
// tests/oracles/model_caches.py made the lines of fixtures/model_caches.jsonl, 20 small random
// configs a family.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/family/family.hpp"
#include "core/cost/groups.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/model/config/priced_config.hpp"
#include "tests/cost/evaluate.hpp"
#include "tests/places.hpp"

using namespace kv;
using Json = nlohmann::json;

namespace {

struct MeasuredModel {
    std::string family;
    std::string config;
    Json row;
};

const std::vector<MeasuredModel>& measured_models() {
    static const std::vector<MeasuredModel> models = [] {
        std::vector<MeasuredModel> all;
        std::ifstream file(kv::test::source_dir() + "/tests/model/fixtures/model_caches.jsonl");
        for (std::string line; std::getline(file, line);) {
            Json row = Json::parse(line);
            all.push_back({row["config"]["model_type"], row["config"].dump(), row});
        }
        return all;
    }();
    return models;
}

ModelShape priced(const MeasuredModel& model) {
    auto parsed = parse_priced_config(model.config, "measured");
    const auto* refusal = std::get_if<ConfigRefusal>(&parsed);
    INFO(model.config);
    INFO((refusal ? refusal->rule : ""));
    REQUIRE(!refusal);
    return std::get<PricedConfig>(parsed).shape;
}

// A layer that keeps `tokens` tokens, whatever its window would let go.
u64 bytes_of_kept(const CacheShape& cache, const LayerCache& layer, u64 tokens) {
    const auto* window = std::get_if<WindowCache>(&layer);
    return layer_bytes(cache, window ? LayerCache{FullCache{window->own}} : layer, {}, tokens);
}

void check_layers(const CacheShape& cache, const Json& at, bool slots) {
    const u64 tokens = at[0];
    const Json& measured = at[1];
    REQUIRE(measured.size() <= cache.n_layers());
    for (std::size_t layer = 0; layer < cache.n_layers(); ++layer) {
        CAPTURE(tokens, layer, slots);
        const LayerCache& kind = cache.layers[layer];
        const u64 kept = slots ? kept_tokens(kind, tokens) : kept_between_steps(kind, tokens);
        // Layers that read an earlier one's cache stand at the end and have none to measure.
        const u64 expected = layer < measured.size() ? measured[layer].get<u64>() : 0;
        CHECK(bytes_of_kept(cache, kind, kept) == expected);
    }
}

Json refused(const std::string& text) {
    auto parsed = parse_priced_config(text, "x");
    REQUIRE(std::holds_alternative<ConfigRefusal>(parsed));
    return std::get<ConfigRefusal>(parsed).rule;
}

}  // namespace

TEST_CASE("every family is measured, twenty configs each", "[priced]") {
    std::map<std::string, int> counts;
    for (const MeasuredModel& model : measured_models()) ++counts[model.family];
    for (const FamilyRow& row : family_rows()) {
        if (!is_known_family(row.name) || row.name == "kimi_k2") continue;  // DeepSeek-V3's class
        CAPTURE(row.name);
        CHECK(counts[std::string(row.name)] == 20);
    }
    for (const char* wrapper :
         {"mistral3", "gemma3", "gemma3n", "llama4", "gemma4", "qwen3_5", "qwen3_5_moe"}) {
        CHECK(counts[wrapper] == 20);
    }
}

TEST_CASE("parameters are the model's own count", "[priced][heavy]") {
    for (const MeasuredModel& model : measured_models()) {
        CAPTURE(model.family, model.config);
        CHECK(parameter_count(priced(model)) == model.row["parameters"].get<u64>());
    }
}

TEST_CASE("caches are the bytes that the classes keep, layer by layer", "[priced][heavy]") {
    for (const MeasuredModel& model : measured_models()) {
        CAPTURE(model.family, model.config);
        const ModelShape shape = priced(model);
        for (const Json& at : model.row["kept"]) check_layers(shape.cache, at, false);
        const bool has_slots = model.row.contains("slots") && model.family != "mamba" &&
                               model.family != "mamba2" && model.family != "falcon_mamba";
        if (has_slots) check_layers(shape.cache, model.row["slots"], true);
    }
}

TEST_CASE("states are the bytes that the classes keep", "[priced][heavy]") {
    for (const MeasuredModel& model : measured_models()) {
        CAPTURE(model.family, model.config);
        const CacheShape cache = priced(model).cache;
        const std::vector<u64> none(cache.n_layers(), 0);
        const std::vector<u64>& ours = cache.state_bytes.empty() ? none : cache.state_bytes;
        std::vector<u64> theirs = model.row.value("states", std::vector<u64>{});
        theirs.resize(cache.n_layers(), 0);
        CHECK(ours == theirs);
    }
}

TEST_CASE("groups add up to the cache, and each derivation evaluates to its value",
          "[priced][heavy]") {
    for (const MeasuredModel& model : measured_models()) {
        CAPTURE(model.family, model.config);
        const ModelShape shape = priced(model);
        for (const u64 tokens : {u64{1}, u64{7}, u64{16}, u64{1000}}) {
            u64 sum = 0;
            for (const CacheGroup& group : cache_groups(shape.cache)) {
                const u64 bytes = group_bytes(shape.cache, group, {}, tokens, 3);
                const auto ceiling = group_ceiling(shape.cache, group, {});
                if (ceiling) CHECK(bytes <= 3 * *ceiling);
                sum += bytes;
            }
            CHECK(sum == kv_bytes(shape.cache, {}, tokens, 3));
        }
        for (const Derived& result : derive_parameters(shape)) {
            CAPTURE(result.name, result.expression);
            CHECK(test::evaluate(result.expression, test::names_of(result)) == result.real());
        }
        CHECK(active_parameters(shape) <= parameter_count(shape));
        CHECK(read_parameters(shape) <= active_parameters(shape));
    }
}

TEST_CASE("what is not priced is refused by name", "[priced]") {
    CHECK(refused(R"({"model_type":"t5","is_encoder_decoder":true})")
              .get<std::string>()
              .find("encoder") != std::string::npos);
    CHECK(refused(R"({"model_type":"gemma3","vision_config":{}})") ==
          "text_config is missing, and model_type gemma3 describes its language model there");
    CHECK(refused(R"({"model_type":"no_such","num_hidden_layers":2})") ==
          "model_type is \"no_such\", which is not a family that this program prices");
    CHECK(refused(R"({"model_type":"gpt2"})") ==
          "model_type is \"gpt2\", and no field says how many layers the model has");
    CHECK(
        refused(
            R"({"model_type":"gpt_oss","num_hidden_layers":2,"layer_types":["full_attention","odd"]})") ==
        "layer 1 is of the kind \"odd\", which this family is not known to have");
    CHECK(refused(R"({"model_type":"gemma2","num_hidden_layers":-3})") ==
          "num_hidden_layers is -3, which is not a number from 0 to 2,147,483,648");
    CHECK(refused(R"({"model_type":"gemma2","num_hidden_layers":2.5})") ==
          "layers comes to 2.50000, which is not a whole number that can be counted");
    CHECK(
        refused(
            R"({"model_type":"mixtral","num_hidden_layers":2,"num_attention_heads":6,"num_key_value_heads":4})") ==
        "4 KV heads do not divide 6 query heads (remainder 2)");
    CHECK(refused(R"({"model_type":"gemma2","num_hidden_layers":2,"hidden_size":"wide"})") ==
          "\"wide\" stands where a number belongs");
    CHECK(refused(R"({"model_type":"gemma3_text","num_hidden_layers":2,"sliding_window":0})") ==
          "a layer slides, but its window is 0");
    CHECK(
        refused(
            R"({"model_type":"gemma2","num_hidden_layers":2,"num_attention_heads":0,"head_dim":null})")
            .get<std::string>()
            .find("is 0") != std::string::npos);
    CHECK(refused(R"({"model_type":"phi3","num_hidden_layers":2,"dtype":"float8"})") ==
          "the dtype is not a type of weights that this program reads");
}

TEST_CASE("what is left out of a price is said", "[priced]") {
    auto parsed = parse_priced_config(
        R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","num_hidden_layers":2},
            "vision_config":{"hidden_size":8}})",
        "x");
    REQUIRE(std::holds_alternative<PricedConfig>(parsed));
    const PricedConfig& priced_one = std::get<PricedConfig>(parsed);
    CHECK(priced_one.family == "gemma3_text");
    REQUIRE(priced_one.notes.size() == 1);
    CHECK(priced_one.notes[0].find("vision tower") != std::string::npos);
}

TEST_CASE("families that can be run are priced alike by their stricter reader", "[priced]") {
    int compared = 0;
    for (const MeasuredModel& model : measured_models()) {
        const std::string& f = model.family;
        if (f != "llama" && f != "mistral" && f != "qwen2" && f != "qwen3") continue;
        CAPTURE(f, model.config);
        const auto parsed = parse_model_config(model.config, "measured");
        const auto* refusal = std::get_if<ConfigRefusal>(&parsed);
        INFO((refusal ? refusal->rule : ""));
        REQUIRE(!refusal);
        const ModelShape strict = shape_of(std::get<ModelConfig>(parsed)), table = priced(model);
        CHECK(strict.cache.layers == table.cache.layers);
        CHECK(kv_bytes(strict.cache, {}, 100, 1) == kv_bytes(table.cache, {}, 100, 1));
        CHECK(parameter_count(strict) == parameter_count(table));
        ++compared;
    }
    CHECK(compared == 80);
}
