// Bytes per token, sequence and batch: rows 28 to 56 and 91 to 96 of the checks, by hand.
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "core/base/error.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/cache/vector_bytes.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("keys and values of different width are counted each with its own", "[cost][C028]") {
    CacheShape shape = uniform_cache(3, 2, 6);
    shape.d_v = 10;
    // per token: 3 layers x 2 heads x (6 + 10) elements x 2 bytes
    CHECK(bytes_per_token(shape, kBf16Pair) == 192);
    CHECK(sequence_bytes(shape, kBf16Pair, 7) == 1344);
    CHECK(bytes_per_token(shape, {codec("f32"), codec("int8")}) == 3 * 2 * (24 + 10 + 2));
}

TEST_CASE("three tokens, two KV heads, d = 4 take 48 bytes of K and 48 of V", "[cost][C030]") {
    const CacheShape layer = uniform_cache(1, 2, 4);
    const u64 k = 2 * head_bytes(codec("bf16"), Side::K, 4, 3);
    const u64 v = 2 * head_bytes(codec("bf16"), Side::V, 4, 3);
    CHECK(k == 48);
    CHECK(v == 48);
    CHECK(layer_bytes(layer, FullCache{}, kBf16Pair, 3) == 96);
}

TEST_CASE("five tokens, three KV heads, d = 8 take 240 bytes of K and 480 in all",
          "[cost][lesson3]") {
    const CacheShape layer = uniform_cache(1, 3, 8);
    CHECK(3 * head_bytes(codec("fp16"), Side::K, 8, 5) == 240);
    CHECK(sequence_bytes(layer, both("fp16"), 5) == 480);
}

TEST_CASE("one token of one head is 256 bytes, of all eight 2,048", "[cost][lesson3]") {
    CHECK(vector_bytes(codec("bf16"), Side::K, 128).total() == 256);
    CHECK(8 * vector_bytes(codec("bf16"), Side::K, 128).total() == 2048);
}

TEST_CASE("formula and scales and empty slots sum to the allocated bytes", "[cost][C036]") {
    // 100 tokens in blocks of 16: 7 blocks, 12 slots empty; int8 adds 2 bytes to each vector of
    // 128.
    const CacheShape shape = uniform_cache(2, 3, 128);
    const u64 payload = 100 * 2 * 3 * 2 * 128, scales = 100 * 2 * 3 * 2 * 2;
    const u64 empty = 12 * 2 * 3 * 2 * 130;
    const u64 allocated = blocks_for(100, 16) * bytes_per_block(shape, both("int8"), 16);
    CHECK(sequence_bytes(shape, both("int8"), 100) == payload + scales);
    CHECK(payload + scales + empty == allocated);
    CHECK(allocated == 174'720);
}

TEST_CASE("the formula holds for any shape against a count of single elements", "[cost][C038]") {
    std::mt19937 random(38);
    const auto draw = [&](unsigned low, unsigned high) {
        return std::uniform_int_distribution<u64>(low, high)(random);
    };
    for (int round = 0; round < 300; ++round) {
        CacheShape shape = uniform_cache(draw(1, 6), draw(1, 5), draw(1, 20));
        shape.d_v = draw(1, 20);
        const u64 tokens = draw(1, 9), batch = draw(1, 4);
        // One pass over every cached element, two bytes each.
        u64 bytes = 0;
        for (u64 b = 0; b < batch; ++b) {
            for (u64 token = 0; token < tokens; ++token) {
                for (u64 layer = 0; layer < shape.n_layers(); ++layer) {
                    for (u64 head = 0; head < shape.n_kv_heads; ++head) {
                        for (u64 i = 0; i < shape.d_k; ++i) bytes += 2;
                        for (u64 i = 0; i < shape.d_v; ++i) bytes += 2;
                    }
                }
            }
        }
        REQUIRE(kv_bytes(shape, kBf16Pair, tokens, batch) == bytes);
    }
}

TEST_CASE("32 heads of 128 in 16 bits are 16 KiB per token and layer", "[cost][C040]") {
    CHECK(layer_bytes_per_token(uniform_cache(1, 32, 128), FullCache{}, kBf16Pair) == 16'384);
}

TEST_CASE("two bytes for 16-bit elements, one for INT8 without its scale", "[cost][C041]") {
    CHECK(vector_bytes(codec("bf16"), Side::K, 128).payload == 256);
    CHECK(vector_bytes(codec("fp16"), Side::K, 128).payload == 256);
    CHECK(vector_bytes(codec("int8"), Side::K, 128).payload == 128);
    CHECK(vector_bytes(codec("fp8_e4m3"), Side::V, 128).payload == 128);
}

TEST_CASE("32 layers, 32 heads, d = 128: 512 KiB per token, 2 GiB at 4,096", "[cost][C042]") {
    CHECK(bytes_per_token(cache_7b(), kBf16Pair) == 524'288);
    CHECK(sequence_bytes(cache_7b(), kBf16Pair, 4096) == 2 * kGiB);
}

TEST_CASE("the same model at four lengths: 1, 2, 4, 16 GiB", "[cost][C043]") {
    CHECK(sequence_bytes(cache_7b(), kBf16Pair, 2048) == 1 * kGiB);
    CHECK(sequence_bytes(cache_7b(), kBf16Pair, 4096) == 2 * kGiB);
    CHECK(sequence_bytes(cache_7b(), kBf16Pair, 8192) == 4 * kGiB);
    CHECK(sequence_bytes(cache_7b(), kBf16Pair, 32768) == 16 * kGiB);
}

TEST_CASE("a batch of 64 at 4,096 tokens is 128 GiB", "[cost][C045]") {
    CHECK(kv_bytes(cache_7b(), kBf16Pair, 4096, 64) == 128 * kGiB);
    CHECK(kv_bytes(cache_7b(), kBf16Pair, 4096, 8) == 16 * kGiB);
}

TEST_CASE("40 layers, 40 heads at 4,096 tokens: 3,355,443,200 B", "[cost][C046]") {
    CHECK(sequence_bytes(uniform_cache(40, 40, 128), both("fp16"), 4096) == 3'355'443'200);
    CHECK(8 * 3'355'443'200ULL == 25 * kGiB);  // 3.125 GiB exactly
}

TEST_CASE("80 layers, 8 KV heads: 320 KiB per token, 1.25 GiB and 10 GiB", "[cost][C047]") {
    CHECK(bytes_per_token(cache_70b(), kBf16Pair) == 327'680);
    CHECK(4 * sequence_bytes(cache_70b(), kBf16Pair, 4096) == 5 * kGiB);
    CHECK(sequence_bytes(cache_70b(), kBf16Pair, 32768) == 10 * kGiB);
}

TEST_CASE("80 layers, 64 KV heads at 32,768 tokens: 80 GiB, 1 GiB a layer", "[cost][C048]") {
    CHECK(sequence_bytes(cache_70b_mha(), kBf16Pair, 32768) == 85'899'345'920);
    CHECK(layer_bytes(cache_70b_mha(), FullCache{}, kBf16Pair, 32768) == 1'073'741'824);
}

TEST_CASE("96 layers, 96 heads: 4.5 MiB per token, 18 GiB at 4,096, 9 GiB at 2,048",
          "[cost][C049]") {
    const CacheShape gpt = model("gpt-3").cache;
    CHECK(bytes_per_token(gpt, kBf16Pair) == 4'718'592);
    CHECK(sequence_bytes(gpt, kBf16Pair, 4096) == 18 * kGiB);
    CHECK(sequence_bytes(gpt, kBf16Pair, 2048) == 9 * kGiB);
}

TEST_CASE("four sequences of 4,096 tokens: 8 GiB", "[cost][C050]") {
    CHECK(kv_bytes(cache_7b(), kBf16Pair, 4096, 4) == 8 * kGiB);
}

TEST_CASE("24 layers, 16 heads, d = 64: 96 KiB per token, 192 MiB at 2,048", "[cost][C051]") {
    const CacheShape shape = uniform_cache(24, 16, 64);
    CHECK(bytes_per_token(shape, both("fp16")) == 98'304);
    CHECK(sequence_bytes(shape, both("fp16"), 2048) == 192 * kMiB);
}

TEST_CASE("40 GiB hold 16,384 tokens of the 70B model as MHA", "[cost][C052][C053]") {
    const u64 per_token = bytes_per_token(cache_70b_mha(), kBf16Pair);
    CHECK(per_token == 2'621'440);
    CHECK(40 * kGiB / per_token == 16'384);
    CHECK(40 * kGiB % per_token == 0);
    CHECK(40'000'000'000ULL / per_token == 15'258);
    CHECK(16'384 / 2048 == 8);
}

TEST_CASE("at 131,072 tokens the presets need 16, 40, 64, 100 and 320 GiB", "[cost][C054]") {
    const auto at_128k = [](std::string_view name) {
        return sequence_bytes(model(name).cache, kBf16Pair, 131'072);
    };
    CHECK(at_128k("llama-3-8b") == 16 * kGiB);
    CHECK(at_128k("llama-2-70b") == 40 * kGiB);
    CHECK(at_128k("llama-2-7b") == 64 * kGiB);
    CHECK(at_128k("llama-2-13b") == 100 * kGiB);
    CHECK(at_128k("llama-2-70b-mha") == 320 * kGiB);
}

TEST_CASE("growth is a straight line whose slope is the bytes per token", "[cost][C055]") {
    for (const std::string_view name : preset_names()) {
        const CacheShape cache = model(name).cache;
        // Windows and states bend it.
        if (is_windowed(cache) || total_state_bytes(cache) > 0) continue;
        const u64 slope = bytes_per_token(cache, kBf16Pair);
        for (const u64 tokens : {1, 2, 3, 1000, 100'000}) {
            CHECK(sequence_bytes(cache, kBf16Pair, tokens) == tokens * slope);
            // Only batch x tokens counts, not which of the two is large.
            CHECK(kv_bytes(cache, kBf16Pair, tokens, 6) ==
                  kv_bytes(cache, kBf16Pair, 6 * tokens, 1));
        }
    }
}

TEST_CASE("a window, a latent layer and a layer without memory bend the line", "[cost][C056]") {
    SECTION("a window in every layer stops the growth") {
        const CacheShape shape = with_window(uniform_cache(32, 8, 128), 4096);
        CHECK(sequence_bytes(shape, kBf16Pair, 4095) == 4095 * 131'072ULL);
        CHECK(sequence_bytes(shape, kBf16Pair, 4096) == 512 * kMiB);
        CHECK(sequence_bytes(shape, kBf16Pair, 4097) == 512 * kMiB);
        CHECK(sequence_bytes(shape, kBf16Pair, 1'000'000) == 512 * kMiB);
    }
    SECTION("a window in some layers makes it flatter") {
        CacheShape shape = uniform_cache(6, 2, 8);  // 64 B per token and layer
        for (u64 layer = 1; layer < 6; ++layer) shape.layers[layer] = WindowCache{10};
        CHECK(bytes_per_token(shape, kBf16Pair) == 384);
        CHECK(sequence_bytes(shape, kBf16Pair, 10) == 3840);
        CHECK(sequence_bytes(shape, kBf16Pair, 11) == 3840 + 64);
        CHECK(sequence_bytes(shape, kBf16Pair, 110) == 5 * 640 + 110 * 64);
    }
    SECTION("a recurrent layer keeps nothing") {
        CacheShape shape = uniform_cache(4, 2, 8);
        shape.layers[1] = shape.layers[2] = NoCache{};
        CHECK(bytes_per_token(shape, kBf16Pair) == 128);
        CHECK(sequence_bytes(shape, kBf16Pair, 100) == 12'800);
    }
    SECTION("all four kinds in one model") {
        CacheShape shape = uniform_cache(4, 2, 8);
        shape.layers = {FullCache{}, WindowCache{5}, LatentCache{12, 4}, NoCache{}};
        CHECK(bytes_per_token(shape, kBf16Pair) == 64 + 64 + 32);
        CHECK(sequence_bytes(shape, kBf16Pair, 9) == 9 * 64 + 5 * 64 + 9 * 32);
        CHECK(stored_elements(shape, 9) == 9 * 32 + 5 * 32 + 9 * 16);
    }
}

TEST_CASE("one latent vector per layer: 70,272 B per token", "[cost][mla][lesson7]") {
    const CacheShape mla = model("deepseek-v3").cache;
    CHECK(bytes_per_token(mla, kBf16Pair) == 70'272);
    CHECK(bytes_per_token(mla, kBf16Pair) == 61 * (512 + 64) * 2);
    // 128 heads of d_k = d_v = 128 would take 3,997,696 B, 56.9 times as much.
    const u64 mha = bytes_per_token(uniform_cache(61, 128, 128), kBf16Pair);
    CHECK(mha == 3'997'696);
    CHECK(mha * 10 / 70'272 == 568);  // 56.889
    CHECK(bytes_per_token(mla, both("int8")) == 61 * (576 + 2));
}

TEST_CASE("an MLA cache has one vector and so one codec", "[cost][mla]") {
    const CacheShape mla = model("deepseek-v3").cache;
    CHECK(cache_objection(mla, {codec("int8"), codec("bf16")}));
    CHECK_FALSE(cache_objection(mla, both("int8")));
    CHECK(cache_objection(mla, both("int4:g50")));
}

TEST_CASE("a shape that keeps nothing has no price", "[cost]") {
    CacheShape shape = uniform_cache(2, 2, 8);
    shape.layers.assign(2, NoCache{});
    CHECK(cache_objection(shape, kBf16Pair));
}

TEST_CASE("fixed instances of the bill", "[cost][lesson4]") {
    const CacheShape llama3 = uniform_cache(32, 8, 128);
    CHECK(bytes_per_token(llama3, kBf16Pair) == 128 * kKiB);
    CHECK(sequence_bytes(llama3, kBf16Pair, 8192) == 1 * kGiB);
    CHECK(sequence_bytes(llama3, kBf16Pair, 131'072) == 16 * kGiB);
    const CacheShape other = uniform_cache(48, 40, 128);
    CHECK(bytes_per_token(other, both("fp16")) == 983'040);
    CHECK(4 * kv_bytes(other, both("fp16"), 2048, 6) == 45 * kGiB);  // 11.25 GiB
}

TEST_CASE("four sinks and a window of 1,024: 128.5 MiB, constant", "[cost][lesson12]") {
    CHECK(2 * sequence_bytes(uniform_cache(32, 8, 128), kBf16Pair, 4 + 1024) == 257 * kMiB);
}

TEST_CASE("products that do not fit are refused, not wrapped", "[cost]") {
    const u64 huge = u64{1} << 60U;
    CHECK_THROWS_AS(sequence_bytes(cache_7b(), kBf16Pair, huge), Error);
    CHECK_THROWS_AS(kv_bytes(cache_7b(), kBf16Pair, 1U << 30U, huge), Error);
}
