// Bytes, intensity and time of a decode step: rows 74 to 85 of the checks and lesson 6.
#include "core/cost/time/roofline.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/cost/cache/vector_bytes.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/flops.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

namespace {

constexpr double k2TB = 2e12;
const u64 kWeights7b = 13'476'831'232;

}  // namespace

TEST_CASE("a step reads 2 S L H_kv d P bytes of cache", "[roofline][C074]") {
    const StepBytes bytes = decode_bytes(model("llama-2-7b"), kBf16Pair, 4096, 1, 16);
    CHECK(bytes.kv_read == 2ULL * 4096 * 32 * 32 * 128 * 2);
}

TEST_CASE("what the estimate leaves out has a term each", "[roofline][C075]") {
    const StepBytes bytes = decode_bytes(model("llama-2-7b"), kBf16Pair, 4096, 3, 16);
    CHECK(bytes.weights == kWeights7b);  // once, whatever the batch
    CHECK(bytes.kv_read == 3 * 2 * kGiB);
    CHECK(bytes.kv_write == 3 * 512 * kKiB);
    CHECK(bytes.block_tables == 3 * 256 * 4);
    CHECK(bytes.logits == 3ULL * 32'000 * 4);
    CHECK(bytes.total() == kWeights7b + 6 * kGiB + 3 * 512 * kKiB + 3ULL * 1024 + 3ULL * 128'000);
}

TEST_CASE("32k tokens, 80 layers: 42,949,672,960 elements, 5,368,709,120 with 8 KV heads",
          "[roofline][C076]") {
    CHECK(stored_elements(cache_70b_mha(), 32'768) == 42'949'672'960);
    CHECK(stored_elements(cache_70b(), 32'768) == 5'368'709'120);
    CHECK(42'949'672'960ULL / 128 == 335'544'320);  // vectors
}

TEST_CASE("4,096 tokens of width 4,096: 64 MiB per layer, 2 GiB per token, K and V",
          "[roofline][C077]") {
    CHECK(layer_bytes(cache_7b(), FullCache{}, kBf16Pair, 4096) == 67'108'864);
    CHECK(sequence_bytes(cache_7b(), kBf16Pair, 4096) == 2'147'483'648);
    CHECK(32 * head_bytes(codec("fp16"), Side::K, 128, 4096) == 33'554'432);  // K alone, the slip
}

TEST_CASE("reading it at 2 TB/s takes 1.07 ms", "[roofline][C078]") {
    CHECK(1e3 * step_time(kWeights7b, 2 * kGiB, k2TB).kv_seconds == Approx(1.07).epsilon(0.005));
}

TEST_CASE("at batch 1 and 4,096 tokens the cache is 13.7 % of the step: 7.81 ms",
          "[roofline][C079][lesson6]") {
    const StepTime time = step_time(kWeights7b, 2 * kGiB, k2TB);
    CHECK(1e3 * time.weight_seconds == Approx(6.74).epsilon(0.001));
    CHECK(1e3 * time.kv_seconds == Approx(1.07).epsilon(0.005));
    CHECK(1e3 * time.seconds() == Approx(7.81).epsilon(0.001));
    CHECK(100 * derive_kv_share(kWeights7b, 2 * kGiB).real() == Approx(13.7).epsilon(0.005));
    CHECK(derive_step_time(kWeights7b, 2 * kGiB, k2TB).real() == Approx(time.seconds()));
}

// 26,525,718,020,096 FLOP in the layers' matrices, 1,100,048,498,688 in the attention of 2,098,176
// pairs, 262,144,000 in the head.
TEST_CASE("the first token of 2,048 takes the whole prompt, of one a reading of the weights",
          "[roofline][C067]") {
    const ModelShape shape = model("llama-2-7b");
    const u64 work = prefill_flops(shape, 2048, 1).total();
    CHECK(work == 27'626'028'662'784);
    CHECK(1e3 * derive_first_token(work, kWeights7b, 989e12, 3.35e12).real() ==
          Approx(27.933).epsilon(0.0001));
    const u64 little = prefill_flops(shape, 1, 1).total();
    CHECK(1e3 * derive_first_token(little, kWeights7b, 989e12, 3.35e12).real() ==
          Approx(4.023).epsilon(0.0002));
}

TEST_CASE("batch 16: 23.9 ms, 669 tokens/s, 71.8 %", "[roofline][lesson6]") {
    const u64 cache = kv_bytes(cache_7b(), kBf16Pair, 4096, 16);
    const double seconds = step_time(kWeights7b, cache, k2TB).seconds();
    CHECK(1e3 * seconds == Approx(23.9).epsilon(0.002));
    CHECK(16 / seconds == Approx(669).epsilon(0.001));
    CHECK(100 * derive_kv_share(kWeights7b, cache).real() == Approx(71.8).epsilon(0.001));
}

TEST_CASE("cache bytes exceed weight bytes from batch 7 on, equal at 6.3",
          "[roofline][C084][lesson6]") {
    CHECK(crossover_batch(kWeights7b, 2 * kGiB) == Approx(6.3).epsilon(0.005));
    CHECK(smallest_batch_above(kWeights7b, 2 * kGiB) == 7);
    CHECK(6 * 2 * kGiB < kWeights7b);
    CHECK(7 * 2 * kGiB > kWeights7b);
    CHECK(smallest_batch_above(2 * kGiB, 1 * kGiB) == 3);  // equal at 2 is not above
}

TEST_CASE("cache equals weights at 25,705 tokens for 7B and 31,777 for 13B",
          "[roofline][C054][lesson4]") {
    const auto crossover = [](std::string_view name) {
        const ModelShape s = model(name);
        return crossover_tokens(weight_bytes(s), bytes_per_token(s.cache, kBf16Pair));
    };
    CHECK(crossover("llama-2-7b") == 25'705);
    CHECK(crossover("llama-2-13b") == 31'777);
    CHECK(crossover("llama-2-7b") / 8 == 3213);
    CHECK(derive_crossover_tokens(kWeights7b, 524'288).whole() == 25'705);
}

TEST_CASE("4 GB at 2 TB/s beside 4 ms of work: a third of the step, 0.67 TB/s",
          "[roofline][C080]") {
    const ReadShare decimal = read_share(4'000'000'000, k2TB, 0.004);
    CHECK(1e3 * decimal.read_seconds == Approx(2.0));
    CHECK(decimal.share == Approx(1.0 / 3));
    CHECK(decimal.mean_bandwidth == Approx(0.667e12).epsilon(0.001));
    const ReadShare binary = read_share(4 * kGiB, k2TB, 0.004);
    CHECK(1e3 * binary.read_seconds == Approx(2.15).epsilon(0.002));
    CHECK(100 * binary.share == Approx(34.9).epsilon(0.001));
}

TEST_CASE("decode attention does 1 FLOP per byte as MHA and 8 with 64/8; the ridge is at 295",
          "[roofline][C081][lesson6]") {
    CHECK(attention_intensity(cache_7b(), 32, kBf16Pair) == Approx(1.0));
    CHECK(attention_intensity(cache_70b(), 64, kBf16Pair) == Approx(8.0));
    CHECK(attention_intensity(cache_70b(), 64, both("fp8_e4m3")) == Approx(16.0));
    CHECK(attention_intensity(cache_70b(), 64, both("f32")) == Approx(4.0));
    CHECK(derive_ridge(989e12, 3.35e12).real() == Approx(295.2).epsilon(0.0002));
    CHECK(attainable_flops(1.0, 989e12, 3.35e12) == Approx(3.35e12));
    CHECK(attainable_flops(1000.0, 989e12, 3.35e12) == Approx(989e12));
}

TEST_CASE("the intensity of attention does not depend on the length", "[roofline][C081]") {
    const ModelShape s = model("llama-3-8b");
    for (const u64 tokens : {1, 100, 10'000}) {
        const double flops = 2.0 * 32 * 256 * 32 * static_cast<double>(tokens);
        const double bytes = static_cast<double>(sequence_bytes(s.cache, kBf16Pair, tokens));
        CHECK(flops / bytes == Approx(attention_intensity(s.cache, s.n_heads, kBf16Pair)));
    }
}

TEST_CASE("latent attention uses each byte 242 times", "[roofline][mla]") {
    // 2 x 128 heads x (576 + 512) FLOP on 1,152 bytes
    CHECK(attention_intensity(model("deepseek-v3").cache, 128, kBf16Pair) ==
          Approx(2.0 * 128 * 1088 / 1152));
}
