// A model folder: which files it must have, and that its tensors are exactly those of its config.
#include "core/model/checkpoint/checkpoint.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "tests/model/model_folder.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::string said_of_folder(const std::string& folder) {
    try {
        Checkpoint::open(folder);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        std::string sentence = error.what();
        CHECK(sentence.find('\n') == std::string::npos);
        CHECK(sentence.back() == '.');
        return sentence;
    }
    return "";
}

std::string said_of(const Changes& changes, const std::vector<FileTensor>& tensors) {
    const ScratchFolder scratch;
    return said_of_folder(write_model(scratch, changes, tensors));
}

// Where the tensors of a sharded model go: file -> tensors; an index that says the same.
using Shards = std::map<std::string, std::vector<FileTensor>>;

Shards two_shards() {
    Shards shards;
    for (const FileTensor& tensor : known_tensors({}, "BF16")) {
        const bool first = tensor.name.find("layers.0") != std::string::npos;
        shards[first ? "m-00001-of-00002.safetensors" : "m-00002-of-00002.safetensors"].push_back(
            tensor);
    }
    return shards;
}

std::string index_of(const Shards& shards) {
    std::string map;
    for (const auto& [file, tensors] : shards) {
        for (const FileTensor& tensor : tensors) {
            map += (map.empty() ? "\"" : ",\"") + tensor.name + "\":\"" + file + "\"";
        }
    }
    return R"({"metadata":{"total_size":1},"weight_map":{)" + map + "}}";
}

std::string write_shards(const ScratchFolder& scratch, const Shards& shards,
                         const std::string& index) {
    scratch.write("config.json", config_text({}));
    scratch.write("model.safetensors.index.json", index);
    for (const auto& [file, tensors] : shards) scratch.write(file, safetensors_bytes(tensors));
    return scratch.file(".");
}

std::string said_of_shards(const Shards& shards, const std::string& index) {
    const ScratchFolder scratch;
    return said_of_folder(write_shards(scratch, shards, index));
}

}  // namespace

TEST_CASE("a folder with config and weights opens", "[checkpoint]") {
    const ScratchFolder scratch;
    const std::string folder = write_model(scratch, {}, known_tensors({}, "F32"));
    const Checkpoint checkpoint = Checkpoint::open(folder + "//");
    CHECK(checkpoint.folder() == folder);
    CHECK(checkpoint.config().n_layers == 2);
    REQUIRE(checkpoint.files().size() == 1);
    const auto place = checkpoint.find("model.norm.weight");
    REQUIRE(place);
    CHECK(place->tensor->shape == std::vector<u64>{64});
    CHECK_FALSE(checkpoint.find("model.norm"));
}

TEST_CASE("every family opens with its own tensors", "[checkpoint]") {
    const std::vector<Changes> configs{{{"model_type", "\"mistral\""}},
                                       {{"model_type", "\"qwen2\""}},
                                       {{"model_type", "\"qwen3\""}, {"head_dim", "8"}},
                                       {{"attention_bias", "true"}, {"mlp_bias", "true"}},
                                       {{"tie_word_embeddings", "true"}}};
    for (const Changes& changes : configs) {
        CAPTURE(config_text(changes));
        CHECK(said_of(changes, known_tensors(changes, "BF16")).empty());
    }
}

TEST_CASE("a missing tensor is named, and others are counted", "[checkpoint]") {
    auto tensors = known_tensors({}, "BF16");
    std::erase_if(
        tensors, [](const FileTensor& t) { return t.name == "model.layers.1.mlp.up_proj.weight"; });
    CHECK_THAT(said_of({}, tensors),
               ContainsSubstring("tensor \"model.layers.1.mlp.up_proj.weight\" is missing, which "
                                 "config.json asks for; use config.json and weights of one"));
    std::erase_if(
        tensors, [](const FileTensor& t) { return t.name.find("layers.1.") != std::string::npos; });
    CHECK_THAT(said_of({}, tensors),
               ContainsSubstring("layers.1.input_layernorm.weight\" is missing (and 8 more)"));
    CHECK_THAT(said_of({}, {}),
               ContainsSubstring("embed_tokens.weight\" is missing (and 20 more)"));
}

TEST_CASE("a tensor that the config does not ask for is named", "[checkpoint]") {
    auto tensors = known_tensors({}, "BF16");
    tensors.push_back({"model.layers.2.mlp.up_proj.weight", "BF16", {1}, "xx"});
    CHECK_THAT(said_of({}, tensors), ContainsSubstring("model.safetensors: holds tensor "
                                                       "\"model.layers.2.mlp.up_proj.weight\", "
                                                       "which config.json does not ask for"));
    // Biases beside a config that has none would change the arithmetic.
    const Changes qwen2{{"model_type", "\"qwen2\""}};
    CHECK_THAT(said_of({}, known_tensors(qwen2, "BF16")),
               ContainsSubstring("holds tensor \"model.layers.0.self_attn.q_proj.bias\""));
    CHECK_THAT(said_of(qwen2, known_tensors({}, "BF16")),
               ContainsSubstring("q_proj.bias\" is missing (and 5 more)"));
}

TEST_CASE("a renamed tensor is missing under its old name", "[checkpoint]") {
    auto tensors = known_tensors({}, "BF16");
    named(tensors, "model.norm.weight").name = "model.final_norm.weight";
    CHECK_THAT(said_of({}, tensors), ContainsSubstring("\"model.norm.weight\" is missing, which"));
}

TEST_CASE("the two harmless kinds of surplus are passed over", "[checkpoint]") {
    auto tensors = known_tensors({}, "BF16");
    tensors.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {1}, "xxxx"});
    CHECK(said_of({}, tensors).empty());
    const Changes tied{{"tie_word_embeddings", "true"}};
    CHECK(said_of(tied, known_tensors({}, "BF16")).empty());
    CHECK_THAT(said_of({}, known_tensors(tied, "BF16")),
               ContainsSubstring("\"lm_head.weight\" is missing"));
}

TEST_CASE("a shape that is not the config's is refused with both", "[checkpoint]") {
    // Weights of 2 KV heads, a config of 4.
    CHECK_THAT(said_of({{"num_key_value_heads", "4"}}, known_tensors({}, "BF16")),
               ContainsSubstring("tensor \"model.layers.0.self_attn.k_proj.weight\" has shape "
                                 "[16, 64], and config.json asks for [32, 64]"));
    auto tensors = known_tensors({}, "BF16");
    named(tensors, "model.layers.0.mlp.down_proj.weight").shape = {160, 64};
    CHECK_THAT(said_of({}, tensors),
               ContainsSubstring("has shape [160, 64], and config.json asks for [64, 160]"));
    tensors = known_tensors({}, "BF16");
    named(tensors, "model.norm.weight").shape = {1, 64};
    CHECK_THAT(said_of({}, tensors),
               ContainsSubstring("has shape [1, 64], and config.json asks for [64]"));
}

TEST_CASE("a tensor of a type that is not read is named", "[checkpoint]") {
    auto tensors = known_tensors({}, "BF16");
    FileTensor& norm = named(tensors, "model.norm.weight");
    norm.dtype = "F64";
    norm.data.assign(512, '\0');
    CHECK_THAT(said_of({}, tensors),
               ContainsSubstring("tensor \"model.norm.weight\" has dtype \"F64\", which this "
                                 "program does not read (UnsupportedDtype)"));
}

TEST_CASE("what is priced but not run is refused before its weights are looked for",
          "[checkpoint]") {
    const ScratchFolder scratch;
    const fs::path data = fs::path(kv::test::source_dir()) / "tests/model/data/deepseek_v3.json";
    fs::copy_file(data, scratch.file("config.json"));
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("is a deepseek_v3 model with latent attention and experts, which "
                                 "is priced but not run; use a llama, mistral, qwen2 or qwen3"));
    scratch.write("config.json",
                  config_text({{"quantization_config", R"({"quant_method":"gptq"})"}}));
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("has weights quantized with gptq, which is not read"));
    scratch.write("config.json", config_text({{"quantization_config", R"({"bits":4})"}}));
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("has weights quantized with a method without a name"));
    scratch.write("config.json",
                  config_text({{"rope_scaling", R"({"rope_type":"yarn","factor":4.0})"}}));
    CHECK_THAT(
        said_of_folder(scratch.file(".")),
        ContainsSubstring("has the rope scaling \"yarn\", which is priced but not run; use a "
                          "llama, mistral, qwen2 or qwen3 model in f32, f16 or bf16 whose "
                          "rope scaling is none, linear or llama3"));
}

TEST_CASE("a folder without its files is refused by the name of what it lacks", "[checkpoint]") {
    const ScratchFolder scratch;
    CHECK_THAT(said_of_folder(""), ContainsSubstring("folder has no name"));
    CHECK_THAT(said_of_folder(scratch.file("gone")),
               ContainsSubstring("gone/config.json cannot be opened"));
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("config.json cannot be opened"));
    scratch.write("config.json", config_text({}));
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("holds neither model.safetensors nor "
                                 "model.safetensors.index.json"));
    CHECK_THAT(said_of_folder(scratch.file("config.json")), ContainsSubstring("cannot be opened"));
    fs::create_directory(scratch.file("model.safetensors"));
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("model.safetensors is a folder"));
    fs::remove(scratch.file("model.safetensors"));
    fs::create_symlink("nowhere", scratch.file("model.safetensors"));
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("model.safetensors cannot be opened"));
    scratch.write("model.safetensors.index.json", "{}");
    CHECK_THAT(said_of_folder(scratch.file(".")),
               ContainsSubstring("holds both model.safetensors and "));
}

TEST_CASE("shards open together", "[checkpoint]") {
    const ScratchFolder scratch;
    const Shards shards = two_shards();
    const Checkpoint checkpoint = Checkpoint::open(write_shards(scratch, shards, index_of(shards)));
    REQUIRE(checkpoint.files().size() == 2);
    CHECK(checkpoint.find("model.layers.0.mlp.up_proj.weight")->file == 0);
    CHECK(checkpoint.find("lm_head.weight")->file == 1);
}

TEST_CASE("a missing shard is named", "[checkpoint]") {
    Shards shards = two_shards();
    const std::string index = index_of(shards);
    shards.erase("m-00002-of-00002.safetensors");
    CHECK_THAT(said_of_shards(shards, index),
               ContainsSubstring("m-00002-of-00002.safetensors is missing, which "
                                 "model.safetensors.index.json names; download the"));
}

TEST_CASE("a tensor that lies in two shards is refused", "[checkpoint]") {
    Shards shards = two_shards();
    const std::string index = index_of(shards);
    shards["m-00001-of-00002.safetensors"].push_back(
        {"model.norm.weight", "BF16", {64}, std::string(128, '\0')});
    CHECK_THAT(
        said_of_shards(shards, index),
        ContainsSubstring("m-00001-of-00002.safetensors: holds tensor \"model.norm.weight\", "
                          "which model.safetensors.index.json puts into "
                          "\"m-00002-of-00002.safetensors\""));
}

TEST_CASE("index and shards must agree on every tensor", "[checkpoint]") {
    Shards shards = two_shards();
    const std::string index = index_of(shards);
    shards["m-00001-of-00002.safetensors"].push_back({"extra", "BF16", {1}, "xx"});
    CHECK_THAT(said_of_shards(shards, index), ContainsSubstring("holds tensor \"extra\", which "
                                                                "model.safetensors.index.json "
                                                                "does not name"));
    shards["m-00001-of-00002.safetensors"].pop_back();
    shards["m-00001-of-00002.safetensors"].erase(shards["m-00001-of-00002.safetensors"].begin());
    CHECK_THAT(
        said_of_shards(shards, index),
        ContainsSubstring("tensor \"model.layers.0.input_layernorm.weight\" is missing, which "
                          "model.safetensors.index.json puts into it"));
}

TEST_CASE("shards and index that agree are still checked against the config", "[checkpoint]") {
    Shards shards = two_shards();
    shards["m-00001-of-00002.safetensors"].push_back({"extra", "BF16", {1}, "xx"});
    CHECK_THAT(said_of_shards(shards, index_of(shards)),
               ContainsSubstring("holds tensor \"extra\", which config.json does not ask for"));
    shards["m-00001-of-00002.safetensors"].clear();
    CHECK_THAT(said_of_shards(shards, index_of(shards)),
               ContainsSubstring("is missing (and 8 more)"));
}

TEST_CASE("an index that leads out of the folder, or is none, is refused", "[checkpoint]") {
    CHECK_THAT(said_of_shards({}, R"({"weight_map":{"a":"../x.safetensors"}})"),
               ContainsSubstring("index.json: weight_map puts \"a\" into \"../x.safetensors\""));
    CHECK_THAT(said_of_shards({}, "[]"), ContainsSubstring("index.json: weight_map is missing"));
    CHECK_THAT(said_of_shards({}, std::string((1U << 20U) + 1, ' ')),
               ContainsSubstring("index.json has 1,048,577 bytes, and the limit is 1,048,576"));
}

TEST_CASE("a broken shard is refused by its rule", "[checkpoint]") {
    const ScratchFolder scratch;
    const Shards shards = two_shards();
    const std::string folder = write_shards(scratch, shards, index_of(shards));
    const std::string second = scratch.file("m-00002-of-00002.safetensors");
    fs::resize_file(second, fs::file_size(second) - 1);
    CHECK_THAT(said_of_folder(folder),
               ContainsSubstring("m-00002-of-00002.safetensors: the header says") &&
                   ContainsSubstring("(MetadataIncompleteBuffer)"));
}
