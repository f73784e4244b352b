// The reference against PyPI `transformers`: random checkpoints of every family and trap, made by
// parity_fixtures.py, computed there in float32 with eager attention.

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/base/files/json.hpp"
#include "core/base/numbers/logits.hpp"
#include "tests/engine/small_model.hpp"

using namespace kv;
using namespace kv::test;

namespace {

struct Expected {
    std::vector<std::uint32_t> tokens, rows, greedy;
    std::vector<std::vector<float>> logits;
};

Expected expected_of(const std::string& name) {
    std::ifstream file(fixture_folder(name) + "/expected.json");
    const auto json = nlohmann::json::parse(file);
    return {json.at("tokens"), json.at("rows"), json.at("greedy"), json.at("logits")};
}

constexpr PoolSpec kParityPool{.n_blocks = 12, .block_size = 4, .k = Codec::F32, .v = Codec::F32};

}  // namespace

TEST_CASE("the reference computes the logits of transformers", "[parity]") {
    REQUIRE(fixture_names().size() >= 10);
    for (const std::string& name : fixture_names()) {
        CAPTURE(name);
        const SmallModel model = load_fixture(name);
        const Expected expected = expected_of(name);
        const auto backend = make_reference(model.config, model.weights, kParityPool);
        Sequence sequence(*backend);
        const std::vector<float> logits = sequence.feed(expected.tokens);
        for (std::size_t i = 0; i < expected.rows.size(); ++i)
            CHECK(distance(logits_row(logits, expected.rows[i], model.config.vocab_size),
                           expected.logits[i])
                      .relative() <= 1e-5);
    }
}

TEST_CASE("the reference goes on with the tokens of transformers", "[parity]") {
    for (const std::string& name : fixture_names()) {
        CAPTURE(name);
        const SmallModel model = load_fixture(name);
        const Expected expected = expected_of(name);
        const auto backend = make_reference(model.config, model.weights, kParityPool);
        Sequence sequence(*backend);
        std::vector<float> logits = sequence.feed(expected.tokens);
        std::vector<std::uint32_t> greedy;
        for (std::size_t i = 0; i < expected.greedy.size(); ++i) {
            const std::size_t width = model.config.vocab_size;
            greedy.push_back(top_token(logits_row(logits, logits.size() / width - 1, width)));
            logits = sequence.feed({greedy.back()});
        }
        CHECK(greedy == expected.greedy);
    }
}
