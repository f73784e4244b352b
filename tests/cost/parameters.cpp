// Parameter counts against a list of tensors written out one by one.
#include "core/cost/model/parameters.hpp"

#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>
#include <vector>

#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// The tensors of a file of this shape, as a loader would expect them.
std::vector<u64> tensors(const ModelShape& s) {
    const u64 h = s.hidden_size, q = s.n_heads * s.cache.d_k, k = s.cache.n_kv_heads * s.cache.d_k,
              v = s.cache.n_kv_heads * s.cache.d_v, o = s.n_heads * s.cache.d_v;
    std::vector<u64> sizes{s.vocab_size * h};  // embed_tokens
    for (u64 layer = 0; layer < s.n_layers(); ++layer) {
        for (const u64 size : {h * q, h * k, h * v, o * h, h, h}) sizes.push_back(size);
        if (s.qkv_bias) sizes.insert(sizes.end(), {q, k, v});
        if (s.o_bias) sizes.push_back(h);
        if (s.qk_norm) sizes.insert(sizes.end(), {s.cache.d_k, s.cache.d_k});
        sizes.insert(sizes.end(), 3, h * s.intermediate_size);  // gate, up, down
        if (s.mlp_bias) sizes.insert(sizes.end(), {s.intermediate_size, s.intermediate_size, h});
    }
    sizes.push_back(h);                                         // norm
    if (!s.tied_embeddings) sizes.push_back(s.vocab_size * h);  // lm_head
    return sizes;
}

u64 sum(const std::vector<u64>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), u64{0});
}

ModelShape deepseek_v2(bool lite) {
    ModelShape s;
    s.cache.layers.assign(lite ? 27 : 60, LatentCache{512, 64});
    s.n_heads = s.cache.n_kv_heads = lite ? 16 : 128;
    s.cache.d_k = 192;
    s.cache.d_v = 128;
    s.hidden_size = lite ? 2048 : 5120;
    s.intermediate_size = lite ? 10'944 : 12'288;
    s.vocab_size = 102'400;
    s.latent = LatentProjections{std::nullopt, 512, 128, 64, 128, false};
    if (!lite) s.latent->q_rank = 1536;
    s.experts = lite ? Experts{64, 2, 6, 1408, 1, 1, false} : Experts{160, 2, 6, 1536, 1, 1, false};
    return s;
}

}  // namespace

TEST_CASE("a count from the shape equals the sum over its tensors", "[parameters]") {
    std::mt19937 random(7);
    const auto draw = [&](unsigned low, unsigned high) {
        return std::uniform_int_distribution<u64>(low, high)(random);
    };
    for (int round = 0; round < 300; ++round) {
        ModelShape s;
        const u64 n_kv = draw(1, 4);
        s.cache = uniform_cache(draw(1, 5), n_kv, draw(1, 16));
        s.cache.d_v = draw(1, 16);
        s.n_heads = n_kv * draw(1, 4);
        s.hidden_size = draw(1, 50);
        s.intermediate_size = draw(1, 80);
        s.vocab_size = draw(2, 300);
        s.tied_embeddings = draw(0, 1) == 1;
        s.qkv_bias = draw(0, 1) == 1;
        s.o_bias = draw(0, 1) == 1;
        s.mlp_bias = draw(0, 1) == 1;
        s.qk_norm = s.cache.d_k == s.cache.d_v && draw(0, 1) == 1;
        REQUIRE(parameter_count(s) == sum(tensors(s)));
    }
}

TEST_CASE("DeepSeek-V2 and its Lite sibling have the published counts", "[parameters][mla]") {
    CHECK(parameter_count(deepseek_v2(false)) == 235'741'434'880);
    CHECK(parameter_count(deepseek_v2(true)) == 15'706'484'224);
}

TEST_CASE("the small GPT and OPT models have the published counts", "[parameters]") {
    // GPT-2 124M and OPT-125M share the form of the large ones.
    struct Small {
        u64 vocab, rows, expected;
    };
    for (const auto& [vocab, rows, expected] :
         {Small{50'257, 1024, 124'439'808}, Small{50'272, 2050, 125'239'296}}) {
        ModelShape s = model("gpt-3");
        s.cache = uniform_cache(12, 12, 64);
        s.n_heads = 12;
        s.hidden_size = 768;
        s.intermediate_size = 3072;
        s.vocab_size = vocab;
        s.learned_positions = rows;
        CHECK(parameter_count(s) == expected);
    }
}

TEST_CASE("tied embeddings are counted once and their head is still multiplied", "[parameters]") {
    ModelShape s = model("llama-3.2-1b");
    const u64 tied = parameter_count(s);
    const u64 head = matrix_sizes(s).lm_head;
    s.tied_embeddings = false;
    CHECK(parameter_count(s) == tied + 128'256ULL * 2048);
    CHECK(head == 128'256ULL * 2048);
}

TEST_CASE("weights in 32 bits weigh twice as much", "[parameters]") {
    ModelShape s = model("smollm2-135m");
    s.weight_type = WeightType::F32;
    CHECK(weight_bytes(s) == 4 * 134'515'008ULL);
}

TEST_CASE("only the active experts are multiplied", "[parameters][mla]") {
    const ModelShape s = model("deepseek-v3");
    // 3 dense layers, 58 with 8 + 1 experts and a router of 256 rows.
    const u64 expected = 3ULL * 3 * 7168 * 18'432 + 58 * (9ULL * 3 * 7168 * 2048 + 256ULL * 7168);
    CHECK(matrix_sizes(s).mlp == expected);
    CHECK_FALSE(s.has_experts(2));
    CHECK(s.has_experts(3));
}
