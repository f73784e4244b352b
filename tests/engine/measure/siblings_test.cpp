// The three shipped models: that they are siblings, that the reference computes what `transformers`
// computed with them (assets/recipe/golden.py), and that they remember what they are told.

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "core/base/files/json.hpp"
#include "core/engine/measure/generation.hpp"
#include "core/model/checkpoint/fold_heads.hpp"
#include "core/model/tokenizer/tokenizer.hpp"
#include "tests/engine/small_model.hpp"
#include "tests/places.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct SiblingSizes {
    std::string name;
    u64 kv_heads, bytes_per_token;
};
const std::vector<SiblingSizes> kSiblings{{"mha", 8, 2048}, {"gqa", 2, 512}, {"mqa", 1, 256}};

std::string folder_of(const std::string& name) {
    return kv::test::source_dir() + "/assets/models/" + name;
}

SmallModel load_sibling(const std::string& name) {
    const Checkpoint checkpoint = Checkpoint::open(folder_of(name));
    LoadOptions options;
    options.storage = WeightStorage::Bf16;
    return {checkpoint.config(), std::get<Weights>(load_weights(checkpoint, options))};
}

nlohmann::json golden_of(const std::string& name) {
    std::ifstream file(kv::test::source_dir() + "/tests/golden/siblings/" + name + ".json");
    return nlohmann::json::parse(file);
}

std::string answer(const ModelConfig& config, const Weights& weights, const Tokenizer& tokenizer,
                   const std::string& prompt) {
    const PoolSpec pool{.n_blocks = 16, .block_size = 16};
    const auto backend = make_reference(config, weights, pool);
    GenerationRequest request;
    request.prompt = tokenizer.encode(prompt, Additions::OfFile).ids;
    request.max_new = 1;
    Generation run(*backend, config, request);
    while (run.advance()) {
    }
    return tokenizer.decode(run.new_tokens(), SpecialTokens::Skipped);
}

}  // namespace

TEST_CASE("the siblings differ in their KV heads alone", "[siblings]") {
    for (const SiblingSizes& sibling : kSiblings) {
        CAPTURE(sibling.name);
        const ModelConfig config = Checkpoint::open(folder_of(sibling.name)).config();
        CHECK(config.n_kv_heads == sibling.kv_heads);
        CHECK(config.n_layers == 4);
        CHECK(config.n_heads == 8);
        CHECK(config.head_dim == 16);
        CHECK(config.hidden_size == 128);
        CHECK(config.vocab_size == 512);
        CHECK(config.tied_embeddings);
        const KvLayout layout = layout_of(config, {.n_blocks = 48, .block_size = 16});
        CHECK(layout.pool_bytes() / (48 * 16) == sibling.bytes_per_token);
        CHECK(std::filesystem::file_size(folder_of(sibling.name) + "/model.safetensors") <
              2'500'000);
    }
}

TEST_CASE("the siblings share one tokenizer, in which every village word is one token",
          "[siblings]") {
    const Tokenizer tokenizer = read_tokenizer(folder_of("gqa") + "/tokenizer.json");
    CHECK(tokenizer.vocab_size() == 512);
    const std::string text = "Greta put the key in the barn. Where is the key? barn.";
    const auto ids = tokenizer.encode(text, Additions::OfFile).ids;
    CHECK(ids.size() == 1 + 8 + 5 + 2);  // <s>, two sentences, the answer and its full stop
    CHECK(ids.front() == 0);
    CHECK(tokenizer.decode(ids, SpecialTokens::Skipped) == text);
    const std::string other = "Zoë, 你好 \t 1 < 2\n";
    CHECK(tokenizer.decode(tokenizer.encode(other, Additions::OfFile).ids,
                           SpecialTokens::Skipped) == other);
    for (const std::string name : {"mha", "mqa"})
        CHECK(read_tokenizer(folder_of(name) + "/tokenizer.json")
                  .encode(text, Additions::OfFile)
                  .ids == ids);
}

TEST_CASE("the reference computes the siblings' golden logits", "[siblings][parity][heavy]") {
    for (const SiblingSizes& sibling : kSiblings) {
        const SmallModel model = load_sibling(sibling.name);
        const Tokenizer tokenizer = read_tokenizer(folder_of(sibling.name) + "/tokenizer.json");
        const nlohmann::json golden = golden_of(sibling.name);
        REQUIRE(golden.at("prompts").size() == 6);
        for (const auto& expected : golden.at("prompts")) {
            CAPTURE(sibling.name, expected.at("prompt").get<std::string>());
            const std::vector<std::uint32_t> ids = expected.at("ids");
            CHECK(
                tokenizer.encode(expected.at("prompt").get<std::string>(), Additions::OfFile).ids ==
                ids);
            const PoolSpec pool{.n_blocks = 16, .block_size = 16, .k = Codec::F32, .v = Codec::F32};
            const auto backend = make_reference(model.config, model.weights, pool);
            GenerationRequest request;
            request.prompt = ids;
            request.max_new = static_cast<std::uint32_t>(expected.at("greedy").size());
            request.stop_tokens = model.config.eos;
            request.keep_logits = true;
            Generation run(*backend, model.config, request);
            while (run.advance()) {
            }
            CHECK(distance(run.logits().front(), expected.at("last_logits")).relative() <= 1e-5);
            CHECK(run.new_tokens() == expected.at("greedy").get<std::vector<std::uint32_t>>());
        }
    }
}

namespace {

struct Question {
    std::string text, answer;
};
const std::string kFacts =
    "Greta put the key in the barn. The lamp is red. Tom likes plums. The smith is Otto. It rained "
    "all day. Mia put the drum in the mill. The morning was cold. The hat is green. Paul likes "
    "soup. The baker is Anna.";
const std::vector<Question> kQuestions{
    {" Where is the key?", " barn"},    {" What colour is the lamp?", " red"},
    {" What does Tom like?", " plums"}, {" Who is the smith?", " Otto"},
    {" Where is the drum?", " mill"},   {" What colour is the hat?", " green"},
    {" What does Paul like?", " soup"}, {" Who is the baker?", " Anna"}};

std::size_t right_answers(const ModelConfig& config, const Weights& weights,
                          const Tokenizer& tokenizer) {
    std::size_t right = 0;
    for (const Question& question : kQuestions)
        right += answer(config, weights, tokenizer, kFacts + question.text) == question.answer;
    return right;
}

}  // namespace

TEST_CASE("the siblings answer from what they were told, and say when they were not",
          "[siblings][heavy]") {
    for (const SiblingSizes& sibling : kSiblings) {
        CAPTURE(sibling.name);
        const SmallModel model = load_sibling(sibling.name);
        const Tokenizer tokenizer = read_tokenizer(folder_of(sibling.name) + "/tokenizer.json");
        CHECK(right_answers(model.config, model.weights, tokenizer) == kQuestions.size());
        CHECK(answer(model.config, model.weights, tokenizer, kFacts + " Where is the bell?") ==
              " nobody");
    }
}

TEST_CASE("heads that are folded without training forget what they were told",
          "[siblings][fold][heavy]") {
    SmallModel model = load_sibling("mha");
    const Tokenizer tokenizer = read_tokenizer(folder_of("mha") + "/tokenizer.json");
    for (const u64 kv_heads : {2u, 1u}) {
        fold_heads(model.config, kv_heads, model.weights);
        model.config.n_kv_heads = kv_heads;
        CHECK(right_answers(model.config, model.weights, tokenizer) <= kQuestions.size() / 2);
    }
}
