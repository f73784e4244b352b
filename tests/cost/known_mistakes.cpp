// What calculators on the web get wrong, a test each: the mistake's number by hand, and ours.
#include <catch2/catch_test_macros.hpp>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/family/family.hpp"
#include "core/cost/groups.hpp"
#include "core/cost/split.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("layers with a window are not multiplied by the whole text", "[mistakes]") {
    // Gemma 3 27B: 62 layers, 16 KV heads of 128; every sixth keeps all, the others 1,024 tokens.
    const CacheShape cache = model("gemma-3-27b").cache;
    const u64 layer_token = 2 * 16 * 128 * 2, tokens = 131'072;
    const u64 mistake = 62 * layer_token * tokens;
    CHECK(kv_bytes(cache, {}, tokens, 1) == layer_token * (10 * tokens + 52 * 1024));
    CHECK(kv_bytes(all_layers_full(cache), {}, tokens, 1) == mistake);
    CHECK(mistake / kv_bytes(cache, {}, tokens, 1) == 5);
}

TEST_CASE("head_dim is what the config says, not hidden_size over heads", "[mistakes]") {
    // Qwen3 4B: hidden_size 2,560, 32 heads, head_dim 128. 2,560 / 32 would be 80.
    CHECK(bytes_per_token(model("qwen3-4b").cache, {}) == 2 * 36 * 8 * 128 * 2);
    // Gemma 3 27B: 5,376 / 32 = 168, the config says 128.
    CHECK(model("gemma-3-27b").cache.d_k == 128);
    // GPT-OSS: 2,880 / 64 = 45, the config says 64.
    CHECK(model("gpt-oss-20b").cache.d_k == 64);
}

TEST_CASE("a latent cache is not one of all heads", "[mistakes]") {
    // DeepSeek-V3 keeps 512 + 64 numbers a token and layer, and no values beside them.
    const CacheShape cache = model("deepseek-v3").cache;
    CHECK(bytes_per_token(cache, {}) == 61 * (512 + 64) * 2);
    const u64 as_mha = 61ULL * 128 * (192 + 128) * 2;
    CHECK(as_mha / bytes_per_token(cache, {}) == 71);
    CHECK(bytes_per_token(cache, {}) != 2 * 61 * (512 + 64) * 2);
}

TEST_CASE("the scales of eight bits are counted", "[mistakes]") {
    const CacheShape cache = model("llama-3-8b").cache;
    // One fp16 scale a token and KV head, for keys and for values.
    CHECK(bytes_per_token(cache, both("int8")) == 2 * 32 * 8 * (128 + 2));
    // A scale and a zero of fp16 for 32 channels.
    CHECK(bytes_per_token(cache, both("int4:g32")) == 2 * 32 * 8 * (64 + 4 * 4));
    // FP8 with one scale a tensor: nothing a token.
    CHECK(bytes_per_token(cache, both("fp8_e4m3")) == 2 * 32 * 8 * 128);
}

TEST_CASE("more ranks than KV heads do not make a card's share smaller", "[mistakes]") {
    const CacheShape cache = model("llama-3.3-70b").cache;  // 8 KV heads
    const u64 eighth = sequence_bytes(cache, {}, 4096) / 8;
    CHECK(rank_sequence_bytes(cache, {}, 4096, {8, 1}) == eighth);
    CHECK(rank_sequence_bytes(cache, {}, 4096, {16, 1}) == eighth);
    const CacheShape latent = model("deepseek-v3").cache;
    CHECK(rank_sequence_bytes(latent, {}, 4096, {16, 1}) == sequence_bytes(latent, {}, 4096));
}
