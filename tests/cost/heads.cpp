// Query heads and KV heads: the mapping and what it saves, rows 86 to 103 of the checks.
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/flops.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

namespace {

u64 mapped(std::uint32_t query, u64 n_heads, u64 n_kv_heads) {
    return kv_head_of(query, n_heads, n_kv_heads).value;
}

}  // namespace

TEST_CASE("with 64 and 8 heads, 0-7 read 0, 8-15 read 1, ... 56-63 read 7", "[heads][C089][C097]") {
    for (std::uint32_t query = 0; query < 64; ++query) CHECK(mapped(query, 64, 8) == query / 8);
    CHECK(mapped(0, 64, 8) == 0);
    CHECK(mapped(7, 64, 8) == 0);
    CHECK(mapped(8, 64, 8) == 1);
    CHECK(mapped(31, 64, 8) == 3);
    CHECK(mapped(63, 64, 8) == 7);
}

TEST_CASE("48 query heads on 6 KV heads: 0, 5, 17, 30, 47 read 0, 0, 2, 3, 5", "[heads][lesson7]") {
    CHECK(mapped(0, 48, 6) == 0);
    CHECK(mapped(5, 48, 6) == 0);
    CHECK(mapped(17, 48, 6) == 2);
    CHECK(mapped(30, 48, 6) == 3);
    CHECK(mapped(47, 48, 6) == 5);
}

TEST_CASE("every KV head serves the same number of neighbouring query heads", "[heads][C089]") {
    for (u64 n_kv = 1; n_kv <= 32; ++n_kv) {
        if (32 % n_kv != 0) continue;
        std::vector<u64> served(n_kv, 0);
        u64 before = 0;
        for (std::uint32_t query = 0; query < 32; ++query) {
            const u64 head = mapped(query, 32, n_kv);
            CHECK(head >= before);
            before = head;
            ++served[head];
        }
        for (const u64 count : served) CHECK(count == 32 / n_kv);
    }
}

TEST_CASE("MHA maps every head to itself and MQA all of them to 0", "[heads][C086][C088]") {
    for (std::uint32_t query = 0; query < 32; ++query) {
        CHECK(mapped(query, 32, 32) == query);
        CHECK(mapped(query, 32, 1) == 0);
    }
}

TEST_CASE("40 query heads cannot share 6 KV heads", "[heads][lesson7]") {
    const auto no = heads_objection(40, 6);
    REQUIRE(no);
    CHECK(no->find("remainder 4") != std::string::npos);
    CHECK(heads_objection(8, 0));
    CHECK(heads_objection(8, 9));
    CHECK_FALSE(heads_objection(8, 8));
}

TEST_CASE("H = 32 with G = 4: four projections, eight heads each, 8 times smaller",
          "[heads][C098][lesson7]") {
    const u64 n_heads = 32, n_kv_heads = 4;
    CHECK(n_heads / n_kv_heads == 8);  // the group size, which is not the number of KV heads
    ModelShape mha = model("llama-2-7b");
    const ModelShape gqa = with_kv_heads(mha, n_kv_heads);
    CHECK(gqa.n_heads == 32);
    CHECK(gqa.group_size() == 8);
    CHECK(gqa.cache.n_kv_heads == 4);
    CHECK(bytes_per_token(mha.cache, kBf16Pair) == 8 * bytes_per_token(gqa.cache, kBf16Pair));
}

TEST_CASE("the cache shrinks by H / H_kv whatever the shape", "[heads][C090][C092]") {
    const u64 mha = bytes_per_token(uniform_cache(80, 64, 128), kBf16Pair);
    for (const u64 n_kv : {1, 2, 4, 8, 16, 32}) {
        CHECK(bytes_per_token(uniform_cache(80, n_kv, 128), kBf16Pair) * (64 / n_kv) == mha);
    }
    CHECK(bytes_per_token(uniform_cache(32, 1, 128), kBf16Pair) * 32 ==
          bytes_per_token(uniform_cache(32, 32, 128), kBf16Pair));
}

TEST_CASE("80 GiB become 1.25 GiB with MQA and 10 GiB with GQA-8", "[heads][C091]") {
    CHECK(4 * sequence_bytes(uniform_cache(80, 1, 128), kBf16Pair, 32768) == 5 * kGiB);
    CHECK(sequence_bytes(uniform_cache(80, 8, 128), kBf16Pair, 32768) == 10 * kGiB);
}

TEST_CASE("40 layers, 64 heads at 4,096 tokens under MHA, GQA-8, MQA", "[heads][C093]") {
    const CacheShape mha = uniform_cache(40, 64, 128), gqa = uniform_cache(40, 8, 128),
                     mqa = uniform_cache(40, 1, 128);
    CHECK(bytes_per_token(mha, kBf16Pair) == 1'310'720);
    CHECK(bytes_per_token(gqa, kBf16Pair) == 163'840);
    CHECK(bytes_per_token(mqa, kBf16Pair) == 20'480);
    CHECK(sequence_bytes(mha, kBf16Pair, 4096) == 5 * kGiB);
    CHECK(8 * sequence_bytes(gqa, kBf16Pair, 4096) == 5 * kGiB);   // 0.625 GiB
    CHECK(64 * sequence_bytes(mqa, kBf16Pair, 4096) == 5 * kGiB);  // 0.078 GiB
}

TEST_CASE("GPT-3 with 8 KV heads keeps 384 KiB per token, 12 times less", "[heads][C094]") {
    const ModelShape gpt = model("gpt-3");
    CHECK(bytes_per_token(with_kv_heads(gpt, 8).cache, kBf16Pair) == 393'216);
    CHECK(bytes_per_token(gpt.cache, kBf16Pair) == 12 * 393'216);
}

TEST_CASE("GQA-8 lifts 40 GiB to 131,072 tokens, 40 GB to 122,070", "[heads][C096][C059]") {
    const u64 per_token = bytes_per_token(cache_70b(), kBf16Pair);
    CHECK(40 * kGiB / per_token == 131'072);
    CHECK(40'000'000'000ULL / per_token == 122'070);
}

TEST_CASE("36 layers, 32 and 4 heads at 16,384 tokens", "[heads][lesson7]") {
    const CacheShape gqa = uniform_cache(36, 4, 128);
    CHECK(bytes_per_token(gqa, kBf16Pair) == 72 * kKiB);
    CHECK(8 * sequence_bytes(gqa, kBf16Pair, 16'384) == 9 * kGiB);  // 1.125 GiB
    CHECK(sequence_bytes(uniform_cache(36, 32, 128), kBf16Pair, 16'384) == 9 * kGiB);
}

TEST_CASE("fewer KV heads leave queries, output and MLP as they are", "[heads][C099][C100]") {
    const ModelShape mha = model("llama-2-70b-mha"), gqa = model("llama-2-70b");
    CHECK(matrix_sizes(mha).o == matrix_sizes(gqa).o);
    CHECK(matrix_sizes(mha).mlp == matrix_sizes(gqa).mlp);
    const FlopParts a = decode_flops(mha, 4096, 1), b = decode_flops(gqa, 4096, 1);
    CHECK(a.scores == b.scores);
    CHECK(a.sum_of_values == b.sum_of_values);
    CHECK(a.o == b.o);
    CHECK(a.mlp == b.mlp);
    CHECK(a.qkv > b.qkv);
    // What is read falls with what is stored.
    CHECK(kv_bytes(mha.cache, kBf16Pair, 4096, 1) == 8 * kv_bytes(gqa.cache, kBf16Pair, 4096, 1));
}
