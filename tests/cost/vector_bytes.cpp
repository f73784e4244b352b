// Codecs as sizes: bytes per vector, effective bits; rows 133 to 138 of the checks.
#include "core/cost/cache/vector_bytes.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "core/cost/cache/bytes.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

namespace {

u64 vector_total(std::string_view name, u64 d, Side side = Side::K) {
    return vector_bytes(codec(name), side, d).total();
}

}  // namespace

TEST_CASE("bytes of one vector, the table of the policies", "[codec]") {
    struct Row {
        const char* name;
        u64 at_16, at_64, at_128;
    };
    const Row rows[] = {
        {"f32", 64, 256, 512},     {"bf16", 32, 128, 256},       {"fp16", 32, 128, 256},
        {"fp8_e4m3", 16, 64, 128}, {"fp8_e5m2", 16, 64, 128},    {"int8", 18, 66, 130},
        {"int4", 10, 34, 66},      {"int8:tensor", 16, 64, 128}, {"int4:g16", 12, 48, 96}};
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(vector_total(row.name, 16) == row.at_16);
        CHECK(vector_total(row.name, 64) == row.at_64);
        CHECK(vector_total(row.name, 128) == row.at_128);
    }
    CHECK(vector_total("int4:g32", 64) == 40);
    CHECK(vector_total("int4:g32", 128) == 80);
    CHECK(vector_total("int8:g32", 128) == 128 + 16);
    CHECK(vector_total("int3", 128) == 48 + 2);
    CHECK(vector_total("int2", 128) == 32 + 2);
    CHECK(vector_total("int3", 10) == 4 + 2);  // 30 bits round up to 4 bytes
    CHECK(vector_total("int2:kivi", 128, Side::K) == 48);
    CHECK(vector_total("int2:kivi", 128, Side::V) == 48);
    CHECK(vector_total("int4:kivi", 16, Side::K) == 8 + 2);
    CHECK(vector_total("int4:kivi", 16, Side::V) == 8 + 4);  // one group, as wide as the head
}

TEST_CASE("a scale in 32 bits costs 3.1 % at d = 128", "[codec][C135]") {
    Codec wide = codec("int8");
    wide.scale_bytes = 4;
    CHECK(vector_bytes(wide, Side::K, 128).total() == 132);
    CHECK(256.0 / 132.0 == Approx(1.939).epsilon(0.0005));
    CHECK(vector_bytes(wide, Side::K, 16).total() == 20);
}

TEST_CASE("a derivation says how wide a group's scale and zero are", "[codec]") {
    Codec wide = codec("int4:g32");
    const auto said_of = [](const Codec& codec) {
        return derive_vector_bytes(codec, Side::K, 128, "bytes", "elements")
            .operands.back()
            .meaning;
    };
    CHECK(said_of(wide) == "a scale and a zero of 16 bits each");
    wide.scale_bytes = 4;
    CHECK(said_of(wide) == "a scale and a zero of 32 bits each");
}

TEST_CASE("INT8 with an FP16 scale: 1.56 % overhead, 1.969 times smaller", "[codec][C135]") {
    const VectorBytes bytes = vector_bytes(codec("int8"), Side::K, 128);
    CHECK(bytes.payload == 128);
    CHECK(bytes.scales == 2);
    CHECK(100.0 * 2 / 128 == Approx(1.5625));
    CHECK(256.0 / static_cast<double>(bytes.total()) == Approx(1.969).epsilon(0.0005));
    CHECK(256.0 / static_cast<double>(vector_total("int4", 128)) == Approx(3.879).epsilon(0.0005));
    CHECK(256.0 / static_cast<double>(vector_total("int4:g32", 128)) == Approx(3.2));
}

TEST_CASE("INT8 halves the payload: 80 to 40 GiB, 10 to 5 GiB, and scales come on top",
          "[codec][C133]") {
    const u64 mha = sequence_bytes(cache_70b_mha(), both("int8"), 32768);
    const u64 gqa = sequence_bytes(cache_70b(), both("int8"), 32768);
    CHECK(sequence_bytes(cache_70b_mha(), both("int8:tensor"), 32768) == 40 * kGiB);
    CHECK(sequence_bytes(cache_70b(), both("int8:tensor"), 32768) == 5 * kGiB);
    CHECK(8 * mha == 325 * kGiB);   // 40.625 GiB
    CHECK(64 * gqa == 325 * kGiB);  // 5.078125 GiB
    CHECK(bytes_per_token(cache_70b(), both("int8")) == 166'400);
}

TEST_CASE("40 GiB hold 131,072 tokens in BF16 and 258,111 in INT8: 1.97 times",
          "[codec][C141][lesson11]") {
    const u64 plain = 40 * kGiB / bytes_per_token(cache_70b(), both("bf16"));
    const u64 coded = 40 * kGiB / bytes_per_token(cache_70b(), both("int8"));
    CHECK(plain == 131'072);
    CHECK(coded == 258'111);
    CHECK(static_cast<double>(coded) / static_cast<double>(plain) == Approx(1.97).epsilon(0.001));
}

TEST_CASE("nominal and effective bits", "[codec][C138]") {
    CHECK(codec("int4").bits() == 4);
    CHECK(effective_bits(codec("int4"), Side::K, 128) == Approx(4.125));
    CHECK(effective_bits(codec("int4"), Side::K, 64) == Approx(4.25));
    CHECK(effective_bits(codec("int4"), Side::K, 16) == Approx(5.0));
    CHECK(effective_bits(codec("int8"), Side::V, 128) == Approx(8.125));
    CHECK(effective_bits(codec("int4:g32"), Side::K, 128) == Approx(5.0));
    CHECK(effective_bits(codec("fp8_e5m2"), Side::K, 128) == Approx(8.0));
    // Keys in 8 and values in 4 bits: the mean over both.
    CHECK(effective_bits(uniform_cache(2, 2, 64), {codec("int8"), codec("int4")}, std::nullopt) ==
          Approx((8.25 + 4.25) / 2));
}

TEST_CASE("fixed instances of fewer bits", "[codec][lesson11]") {
    CHECK(vector_total("int8", 64) == 66);
    CHECK(128.0 / 66.0 == Approx(1.94).epsilon(0.001));
    CHECK(100.0 * 2 / 64 == Approx(3.125));
    CHECK(vector_total("int4:g32", 128) == 80);
}

TEST_CASE("kivi codes keys in runs of 128 tokens and values one by one", "[codec][kivi]") {
    struct Row {
        u64 tokens, k_coded, v_coded;
    };
    for (const Row row : {Row{1, 0, 0}, Row{127, 0, 0}, Row{128, 128, 0}, Row{129, 128, 1},
                          Row{255, 128, 127}, Row{256, 256, 128}, Row{300, 256, 172}}) {
        CAPTURE(row.tokens);
        CHECK(kivi_coded_tokens(Side::K, row.tokens) == row.k_coded);
        CHECK(kivi_coded_tokens(Side::V, row.tokens) == row.v_coded);
    }
    // 300 tokens of d = 128 in 2 bits: 256 x 48 + 44 x 256 and 172 x 48 + 128 x 256.
    CHECK(head_bytes(codec("int2:kivi"), Side::K, 128, 300) == 12'288 + 11'264);
    CHECK(head_bytes(codec("int2:kivi"), Side::V, 128, 300) == 8'256 + 32'768);
}

TEST_CASE("a 2-bit kivi cache spends 6.25 bits at 256 tokens and 3.05 at 32,767",
          "[codec][kivi][lesson11]") {
    const CacheShape shape = uniform_cache(2, 4, 128);
    const auto bits = [&](u64 tokens) { return effective_bits(shape, both("int2:kivi"), tokens); };
    CHECK(bits(256) == Approx(6.25));
    CHECK(bits(4096) == Approx(3.203).epsilon(0.0002));
    CHECK(bits(32'768) == Approx(3.025).epsilon(0.0002));
    CHECK(bits(32'767) == Approx(3.051).epsilon(0.0002));
    CHECK(bits(100) == Approx(16.0));  // everything is still in the residual
    CHECK(effective_bits(shape, both("int2:kivi"), std::nullopt) == Approx(3.0));
    CHECK(effective_bits(shape, both("int4:kivi"), std::nullopt) == Approx(5.0));
    CHECK(8.0 * static_cast<double>(head_bytes(codec("int2:kivi"), Side::K, 128, 32'768)) /
              (32'768.0 * 128) ==
          Approx(3.0));
    CHECK(8.0 * static_cast<double>(head_bytes(codec("int2:kivi"), Side::V, 128, 32'768)) /
              (32'768.0 * 128) ==
          Approx(3.051).epsilon(0.0002));
}

TEST_CASE("Qwen3 4B: 83,488 tokens in bf16 are 5,218 blocks, 166,992 in fp8 are 10,437",
          "[codec][vllm]") {
    const CacheShape shape = model("qwen3-4b").cache;
    CHECK(bytes_per_token(shape, both("bf16")) == 147'456);
    CHECK(83'488 / 16 == 5218);
    const u64 pool = 5218 * bytes_per_block(shape, both("bf16"), 16);
    CHECK(static_cast<double>(pool) / static_cast<double>(kGiB) ==
          Approx(11.4653).epsilon(0.00001));
    CHECK(bytes_per_block(shape, both("fp8_e4m3"), 16) * 2 ==
          bytes_per_block(shape, both("bf16"), 16));
    CHECK(166'992 / 16 == 10'437);
}
