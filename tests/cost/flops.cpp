// Operations and positions: rows 4 to 13, 66, 82 of the checks.
#include "core/cost/time/flops.hpp"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/cost/model/parameters.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

TEST_CASE("100 prompt tokens and 500 new ones: 174,750 positions without a cache, 599 with",
          "[flops][C004][C005]") {
    CHECK(positions_without_cache(100, 500) == 174'750);
    CHECK(positions_without_cache(101, 500) == 175'250);  // the chapter's own sum starts one later
    CHECK(positions_with_cache(100, 500) == 599);
    CHECK(174'750.0 / 599 == Approx(291.7).epsilon(0.0002));
}

TEST_CASE("512 prompt tokens and three passes: 1,539 and 514", "[flops][C006]") {
    CHECK(positions_without_cache(512, 3) == 512 + 513 + 514);
    CHECK(positions_with_cache(512, 3) == 514);
    CHECK(positions_without_cache(64, 64) == 6112);
    CHECK(positions_with_cache(64, 64) == 127);
}

TEST_CASE("from 142 new tokens on, a prompt of 100 saves more than 100 times", "[flops][lesson1]") {
    u64 tokens = 1;
    while (positions_without_cache(100, tokens) <= 100 * positions_with_cache(100, tokens))
        ++tokens;
    CHECK(tokens == 142);
    CHECK(positions_without_cache(100, 142) == 24'211);
    CHECK(positions_with_cache(100, 142) == 241);
}

TEST_CASE("no new token, no work", "[flops]") {
    CHECK(positions_without_cache(100, 0) == 0);
    CHECK(positions_with_cache(100, 0) == 0);
    CHECK(positions_without_cache(100, 1) == 100);
    CHECK(positions_with_cache(100, 1) == 100);
}

TEST_CASE("repeated projections number T(T+1)/2", "[flops][C007]") {
    CHECK(repeated_positions(1000) == 500'500);
    u64 sum = 0;
    for (u64 t = 1; t <= 50; ++t) {
        sum += t;
        CHECK(repeated_positions(t) == sum);
    }
}

TEST_CASE("repeated K and V projections cost 2 L d^2 T(T+1)", "[flops][C008]") {
    const ModelShape s = model("llama-2-7b");
    const u64 steps = 300;
    CHECK(kv_projection_flops(s, repeated_positions(steps)) ==
          2ULL * 32 * 4096 * 4096 * steps * (steps + 1));
    // With the cache every step projects one position.
    CHECK(kv_projection_flops(s, 1) == 2ULL * 32 * 2 * 4096 * 4096);
}

TEST_CASE("query-key work with the cache over 100..1100 keys: 1.574e11", "[flops][C012]") {
    const ModelShape s = model("llama-2-7b");
    u64 keys = 0;
    for (u64 t = 100; t <= 1100; ++t) keys += t;
    CHECK(keys == 600'600);
    CHECK(score_flops_per_pair(s) == 2 * 4096);
    CHECK(score_flops_per_pair(s) * keys == 4'920'115'200);
    CHECK(32 * score_flops_per_pair(s) * keys == 157'443'686'400);
    CHECK(32 * score_flops_per_pair(s) * 600'500 == 157'417'472'000);  // lesson 1: keys 101..1100
}

TEST_CASE("the same without a cache: 1.164e14, 739.2 times as much", "[flops][C013]") {
    const ModelShape s = model("llama-2-7b");
    u64 pairs = 0;
    for (u64 t = 100; t <= 1100; ++t) pairs += t * t;
    CHECK(pairs == 443'943'500);
    CHECK(score_flops_per_pair(s) * pairs == 3'636'785'152'000);
    CHECK(32 * score_flops_per_pair(s) * pairs == 116'377'124'864'000);
    CHECK(443'943'500.0 / 600'600 == Approx(739.2).epsilon(0.0001));
}

TEST_CASE("a prefill has P(P+1)/2 score pairs per head", "[flops][C066][lesson5]") {
    CHECK(causal_pairs(2048) == 2'098'176);
    CHECK(causal_pairs(4096) == 8'390'656);
    CHECK(causal_pairs(0) == 0);
}

TEST_CASE("a window cuts the pairs, counted one by one", "[flops]") {
    for (const u64 window : {1, 2, 5, 30, 100}) {
        for (u64 tokens = 0; tokens < 60; ++tokens) {
            u64 pairs = 0;
            for (u64 t = 0; t < tokens; ++t) pairs += std::min(t + 1, window);
            REQUIRE(causal_pairs(tokens, window) == pairs);
        }
    }
}

TEST_CASE("the two parts of a decode step are equal at n = 24,704 for 7B", "[flops][C082]") {
    const ModelShape s = model("llama-2-7b");
    CHECK(flop_crossover_tokens(s) == Approx(24'704.0));
    const FlopParts at = decode_flops(s, 24'704, 1);
    CHECK(at.attention() == at.qkv + at.o + at.mlp);
    CHECK(24'704.0 / 4096 == Approx(6.03).epsilon(0.001));
}

TEST_CASE("attention of one 7B step over 4,096 tokens is 2.147 GFLOP", "[flops][C078]") {
    const FlopParts parts = decode_flops(model("llama-2-7b"), 4096, 1);
    CHECK(parts.scores == 1'073'741'824);
    CHECK(parts.sum_of_values == 1'073'741'824);
    CHECK(1e3 * static_cast<double>(parts.attention()) / 312e12 == Approx(0.00688).epsilon(0.001));
}

TEST_CASE("each part of a decode step by hand", "[flops]") {
    // 2 layers, 4 query and 2 KV heads of 8, width 12, MLP 20, vocabulary 30, 5 tokens, batch 3.
    ModelShape s;
    s.cache = uniform_cache(2, 2, 8);
    s.n_heads = 4;
    s.hidden_size = 12;
    s.intermediate_size = 20;
    s.vocab_size = 30;
    const FlopParts p = decode_flops(s, 5, 3);
    CHECK(p.qkv == 2 * 3 * 2 * (12 * 32 + 2 * 12 * 16));
    CHECK(p.o == 2 * 3 * 2 * (32 * 12));
    CHECK(p.mlp == 2 * 3 * 2 * (3 * 12 * 20));
    CHECK(p.lm_head == 2 * 3 * 30 * 12);
    CHECK(p.scores == 2ULL * 3 * 2 * 4 * 8 * 5);
    CHECK(p.sum_of_values == p.scores);
    CHECK(p.total() == p.qkv + p.o + p.mlp + p.lm_head + p.scores + p.sum_of_values);
}

TEST_CASE("a prefill is the sum of its positions, with the head applied once", "[flops]") {
    const ModelShape s = model("smollm2-135m");
    FlopParts sum;
    for (u64 t = 1; t <= 40; ++t) {
        const FlopParts step = decode_flops(s, t, 2);
        sum.qkv += step.qkv;
        sum.scores += step.scores;
        sum.sum_of_values += step.sum_of_values;
        sum.o += step.o;
        sum.mlp += step.mlp;
        sum.lm_head = step.lm_head;
    }
    const FlopParts prefill = prefill_flops(s, 40, 2);
    CHECK(prefill.qkv == sum.qkv);
    CHECK(prefill.scores == sum.scores);
    CHECK(prefill.sum_of_values == sum.sum_of_values);
    CHECK(prefill.o == sum.o);
    CHECK(prefill.mlp == sum.mlp);
    CHECK(prefill.lm_head == sum.lm_head);
}

TEST_CASE("latent attention scores 576 elements and mixes 512 per head", "[flops][mla]") {
    const ModelShape s = model("deepseek-v3");
    CHECK(score_flops_per_pair(s) == 2 * 128 * 576);
    CHECK(value_flops_per_pair(s) == 2 * 128 * 512);
    // Every matrix of a layer is used once per position: q down and up, latent down, absorbed k and
    // v.
    const u64 qkv = 7168ULL * 1536 + 1536ULL * 128 * 192 + 7168ULL * 576 + 512ULL * 128 * 256;
    CHECK(matrix_sizes(s).qkv == 61 * qkv);
}
