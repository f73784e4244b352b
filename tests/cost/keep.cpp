// What is kept between two steps and what it costs: rows 2, 3, 8 to 11 of the checks.
#include "core/cost/keep.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/cost/cache/bytes.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("kept inputs weigh layers x width x 4 bytes a token", "[keep]") {
    // Llama 2 7B: 32 x 4,096 x 4; with as many KV heads as heads, in 16 bits, K and V are as many
    // bytes. Llama 2 70B: 80 x 8,192 x 4, eight times its 320 KiB of K and V.
    CHECK(input_bytes_per_token(model("llama-2-7b")) == 512 * kKiB);
    CHECK(input_bytes_per_token(model("llama-2-70b")) == 2'560 * kKiB);
}

// 3 prompt tokens and 3 new ones. Without anything kept, passes over 3, 4 and 5 positions.
TEST_CASE("positions of the three ways to remember", "[keep][C002][C003]") {
    CHECK(positions_projected(Keep::Nothing, 3, 3) == 12);
    CHECK(positions_projected(Keep::Inputs, 3, 3) == 12);
    CHECK(positions_projected(Keep::KeysAndValues, 3, 3) == 5);
    CHECK(positions_forwarded(Keep::Nothing, 3, 3) == 12);
    CHECK(positions_forwarded(Keep::Inputs, 3, 3) == 5);
    CHECK(positions_forwarded(Keep::KeysAndValues, 3, 3) == 5);
    for (const Keep keep : kKeeps) {
        CHECK(positions_projected(keep, 7, 0) == 0);
        CHECK(positions_projected(keep, 7, 1) == 7);
    }
}

TEST_CASE("a generation is the sum of its passes", "[keep][C008][C009][C010]") {
    const ModelShape s = model("llama-3-8b");
    const u64 prompt = 7, new_tokens = 5;
    FlopParts nothing = prefill_flops(s, prompt, 1), both = nothing;
    const auto add = [](FlopParts& sum, const FlopParts& more) {
        sum.qkv += more.qkv;
        sum.scores += more.scores;
        sum.sum_of_values += more.sum_of_values;
        sum.o += more.o;
        sum.mlp += more.mlp;
        sum.lm_head += more.lm_head;
    };
    u64 repeated = 0;
    for (u64 length = prompt + 1; length < prompt + new_tokens; ++length) {
        add(nothing, prefill_flops(s, length, 1));
        add(both, decode_flops(s, length, 1));
        repeated += length - 1;
    }
    FlopParts inputs = both;
    inputs.qkv += kv_projection_flops(s, repeated);
    CHECK(generation_flops(s, Keep::Nothing, prompt, new_tokens) == nothing);
    CHECK(generation_flops(s, Keep::Inputs, prompt, new_tokens) == inputs);
    CHECK(generation_flops(s, Keep::KeysAndValues, prompt, new_tokens) == both);
    CHECK(generation_flops(s, Keep::Nothing, prompt, 0) == FlopParts{});
}

// One layer, one KV head of 2 + 2 numbers in bf16: 8 bytes a token; width 3: 12 bytes of inputs.
// 2 prompt tokens, 3 new ones: passes over 2, 3 and 4 positions; 19 pairs (3 + 6 + 10)
// without a cache and 10 with one; 9 positions projected, of which 5 once more.
TEST_CASE("bytes moved by the three ways to remember", "[keep]") {
    ModelShape s;
    s.cache = uniform_cache(1, 1, 2);
    s.n_heads = 2;
    s.hidden_size = 3;
    s.intermediate_size = s.vocab_size = 4;
    CHECK(cache_traffic(s, kBf16Pair, Keep::Nothing, 2, 3) == CacheTraffic{152, 72, 0, 0});
    CHECK(cache_traffic(s, kBf16Pair, Keep::Inputs, 2, 3) == CacheTraffic{80, 72, 60, 48});
    CHECK(cache_traffic(s, kBf16Pair, Keep::KeysAndValues, 2, 3) == CacheTraffic{80, 32, 0, 0});
}

TEST_CASE("the ways to remember are named as on the command line", "[keep]") {
    CHECK(name_of(Keep::Nothing) == "nothing");
    CHECK(name_of(Keep::Inputs) == "x");
    CHECK(name_of(Keep::KeysAndValues) == "kv");
}
